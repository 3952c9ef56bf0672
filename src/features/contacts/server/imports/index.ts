export { readNumbers } from './numbers.ts'
