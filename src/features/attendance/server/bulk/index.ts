export { startClosing, startClosingOf, ticketsKind } from './bulk.ts'
