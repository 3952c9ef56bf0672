export { announce, announceAll, isVisible, lockTicket, lockVisible, maySee, requireVisible, requireVisibleMessage, type KnownTicket, visibleSql, whoSees } from './access.ts'
export { findLostTickets, ticketsWhere } from './queries-visibility.ts'

