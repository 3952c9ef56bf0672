import type { MessageRow } from '#features/ledger/message-rows.ts'

/** So many are passed on at once. */
export const most = 10

/** Whether a message may be passed on at all. */
export const mayForward = ({ isNote, isDeleted, mediaType }: MessageRow): boolean =>
  !isNote && !isDeleted && mediaType !== 'transfer'
