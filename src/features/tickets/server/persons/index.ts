export { followPersons } from './persons.ts'
