export { answer, cancelMessage, requireOwn, restate } from './own.ts'
export { changeNote, deleteMessage, editMessage, reactToMessage, retryOrCancelActs } from './request.ts'
