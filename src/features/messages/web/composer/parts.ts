// Composer parts that load on first use, in one chunk.

export { SuggestionList } from '../replies/SuggestionList.tsx'
export { DraftChoice } from './DraftChoice.tsx'
export { MailFields } from './MailFields.tsx'
export { QuotedMessage } from './QuotedMessage.tsx'
export { SmsParts } from './SmsParts.tsx'
export { TooLong } from './TooLong.tsx'
export { Tray } from './Tray.tsx'
export { VariablesNotice } from './VariablesNotice.tsx'
export { VoiceNote } from './VoiceNote.tsx'
export { WritesTo } from './WritesTo.tsx'
