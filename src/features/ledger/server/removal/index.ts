export { deleteTickets, liveTicketsOf, lockTicketsOf, surveyTicketsOf } from './queries.ts'
