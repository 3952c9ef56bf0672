export { type AssistantSwitch, switchAssistants } from './assistants.ts'
export {
  answer,
  changeTicket,
  closeUnattended,
  commandOf,
  moveUnattended,
  requireAssignment,
  requireReason,
  requireSnoozeTime,
  saveMove,
  stateOf,
} from './change.ts'
export { failWithActive } from './conflict.ts'
export { type Detail, loadDetail } from './detail.ts'
export { endWindow } from './end-window.ts'
export { findFarewell, isOffered } from './queries-closing.ts'
export { followFields } from './snooze.ts'
export { copyStages } from './stage.ts'
export { handToFlows, startFlowFor } from './to-flow.ts'
export { fieldsOf, writeMoves } from './write-moves.ts'
