export { announcePlaced, announceStatus, announceWaiting } from './announce.ts'
export { ledgerOf } from './ledger.ts'
export {
  addTrail,
  ascending,
  feedTail,
  findByIdFront,
  findMessages,
  isAnswered,
  lastSeq,
  lockMessage,
  type MessageRecord,
  type PageRow,
  pageColumns,
  pageStatement,
  recordsOf,
  removeTrail,
  stands,
  trailOf,
  updateMessage,
} from './queries.ts'
export { findFormatted } from './queries-formatted.ts'
export { findConversation } from './queries-ledger.ts'
export { quotationOf, serializeMessage } from './serializer.ts'
