import type { Feature } from '#server/feature.ts'
import { notificationRoutes } from './notifications.ts'
import { ticketRoutes } from './routes.ts'

export { announce, lockTicket, requireVisible, visibleSql } from './access.ts'
export { changeTicket, closeByTimer } from './change.ts'
export { inList } from './list.ts'
export { notifyMentioned } from './notifications.ts'
export { contactsShownAs, searchContacts } from './queries-list.ts'
export { findLostTickets } from './queries-visibility.ts'
export { moveTicketsOfQueue, releaseTicketsOf } from './reassign.ts'
export { deltaOf, factsOf, loadTicketRows } from './rows.ts'

/** Tickets: the list, one, its moves; and what concerns a person on them. */
export const ticketsFeature: Feature = {
  name: 'tickets',
  routes: [...ticketRoutes, ...notificationRoutes],
  constraints: { tickets_one_open: 'ERR_OTHER_OPEN_TICKET', tickets_one_line: 'ERR_OTHER_OPEN_TICKET' },
}
