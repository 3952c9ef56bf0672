export {
  assignees,
  changeTags,
  conversationsOf,
  countChange,
  countTags,
  insertAllLogs,
  restoreTags,
  type TicketFields,
  ticketImages,
  ticketsById,
  writeTickets,
} from './queries-bulk.ts'
export { type Compared, compareSummaries, compareSummariesOf, type Summary, writeSummaries } from './queries-mend.ts'
export {
  activeOfConnection,
  activeOfQueue,
  activeOfUser,
  forgetColleague,
  moveQueueOf,
  releaseTickets,
} from './queries-reassign.ts'
