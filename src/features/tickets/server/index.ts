export { announce, lockTicket, lockVisible, requireVisible, visibleSql } from './access.ts'
export { ticketsWithFacts } from './queries.ts'
export { deltaOf, factsOf, loadTicketRows } from './rows.ts'
