export {
  findNamedTickets,
  findTicket,
  findTicketForUpdate,
  findTicketsForUpdate,
  nameTickets,
  type TicketPage,
  type TicketRecord,
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
