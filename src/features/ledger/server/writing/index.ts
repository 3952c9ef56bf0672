export { filledIn, sendSystemMessages } from './system-message.ts'
export { type MessageDraft, touched, untouched, writeMessages } from './write.ts'
