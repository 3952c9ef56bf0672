export { type NumberList, readNumbers } from './numbers.ts'
