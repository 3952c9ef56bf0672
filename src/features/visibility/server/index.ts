export {
  announce,
  announceAll,
  isVisible,
  type KnownTicket,
  lockTicket,
  lockVisible,
  maySee,
  requireVisible,
  requireVisibleMessage,
  visibleSql,
  whoSees,
} from './access.ts'
export { findLostTickets, ticketsWhere } from './queries-visibility.ts'
