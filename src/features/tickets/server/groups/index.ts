export { setGroupUsers } from './users.ts'
