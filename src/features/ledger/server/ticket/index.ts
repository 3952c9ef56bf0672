export { findLive } from './presence-queries.ts'
export {
  asTouched,
  knownProviderIds,
  type LedgerTicket,
  ledgerFacts,
  lockLedgerTicket,
  lockLedgerTickets,
  type MessageSchedule,
  type TicketTouch,
  touchTickets,
} from './queries.ts'
