export {
  findNamedTickets,
  findTicket,
  findTicketForUpdate,
  findTicketsForUpdate,
  namedTicketsOf,
  type TicketPage,
  type TicketPageRow,
  type TicketRecord,
  ticketPageStatement,
} from './queries.ts'
export {
  findConnection,
  findDefaultConnection,
  findTicketAddresses,
  listConnections,
  openTicketsByConnection,
  ticketsAway,
  ticketsOfConnection,
} from './queries-connections.ts'
export { backdateLastWord } from './queries-window.ts'
export { deltaOf, factsOf, type LoadedTicket, loadedTicket, loadTicketRows, slaOf, ticketRowOf } from './rows.ts'
