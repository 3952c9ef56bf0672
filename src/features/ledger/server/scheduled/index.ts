export { BEHIND_LIVE, due, enqueueDue, enqueueNextDue } from './due.ts'
export {
  countWaiting,
  type DueMessage,
  isPlaced,
  lastTicket,
  listScheduled,
  lockWaiting,
  moveSchedules,
  releaseRows,
  SCHEDULED,
  type ScheduledFilter,
  tenantsWithDue,
  ticketsWithDue,
} from './queries.ts'
