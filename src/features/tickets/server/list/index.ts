export { inList, periodOf, selectTicketIds } from './list.ts'
export { announcingTickets } from './of-contact.ts'
export { contactsShownAs, searchContacts } from './queries-list.ts'
