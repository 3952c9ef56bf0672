export { setPinned } from './pins.ts'
