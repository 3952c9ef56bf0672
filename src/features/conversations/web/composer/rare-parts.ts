// Parts of the composer that few conversations need: one file, loaded with the first of them.
export { DraftChoice } from './DraftChoice.tsx'
export { MailFields } from './MailFields.tsx'
export { SmsParts } from './SmsParts.tsx'
export { TooLong } from './TooLong.tsx'
export { VariablesNotice } from './VariablesNotice.tsx'
export { WritesTo } from './WritesTo.tsx'
