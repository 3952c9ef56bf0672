export {
  activeOfContact,
  findActive,
  findActiveOfContact,
  findActiveQueue,
  findAssignee,
  findContact,
  findUsername,
  insertLogs,
  insertTicket,
  insertTickets,
  lastConnectionOf,
  nameOf,
  replaceTags,
  setWaiting,
  switchAllAssistants,
  switchAssistants,
  updateTicket,
} from './queries-change.ts'
export { followContacts, hasStage, leaveStage, liveTickets, ticketsBehind } from './queries-stage.ts'
export { liveWithTag, replaceTag } from './queries-tags.ts'
