import type { MessageRow } from '#features/ledger/message-rows.ts'

/** Maximum number of messages forwarded at once. */
export const most = 10

/** Checks that a message may be forwarded: no note, deleted message or transfer. */
export const mayForward = ({ isNote, isDeleted, mediaType }: MessageRow): boolean =>
  !isNote && !isDeleted && mediaType !== 'transfer'
