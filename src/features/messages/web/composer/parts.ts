// Parts of the composer that come with their use: one file, loaded with the first of them.

export { SuggestionList } from '../replies/SuggestionList.tsx'
export { DraftChoice } from './DraftChoice.tsx'
export { MailFields } from './MailFields.tsx'
export { SmsParts } from './SmsParts.tsx'
export { TooLong } from './TooLong.tsx'
export { Tray } from './Tray.tsx'
export { VariablesNotice } from './VariablesNotice.tsx'
export { VoiceNote } from './VoiceNote.tsx'
export { WritesTo } from './WritesTo.tsx'
