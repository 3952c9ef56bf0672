export { createUser, setPassword } from './people.ts'
