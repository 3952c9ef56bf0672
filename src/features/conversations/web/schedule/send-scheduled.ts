import { messages } from '#features/conversations/addresses.ts'
import { call } from '#web/client.ts'
import type { OutboxFile } from '../composer/outbox-state.ts'
import { upload } from '../composer/upload.ts'

/** What is to be sent at a time: a text, or a file with its words. */
export type ScheduledPart = { body: string; file: OutboxFile | null; quotedMsgId?: string | undefined }
/** When, and how often. */
export type Schedule = { scheduleDate: string; cancelOnReply: boolean; repeat: string | null }

/** Schedules the parts one after the other; repeated with the same ids, what the server has already is not scheduled again. */
export async function sendScheduled(
  ticketId: number,
  parts: readonly ScheduledPart[],
  { scheduleDate, cancelOnReply, repeat }: Schedule,
  idFront: string,
): Promise<void> {
  for (const [index, { body, file, quotedMsgId }] of parts.entries()) {
    const fields = {
      idFront: `${idFront}:${index}`,
      body,
      scheduleDate,
      ...(quotedMsgId ? { quotedMsgId } : {}),
      ...(repeat ? { repeat } : {}),
    }
    if (file)
      await upload(ticketId, { ...fields, isNote: 'false', cancelOnReply: String(cancelOnReply) }, file, () => {})
    else
      await call(
        messages.send,
        { params: { ticketId }, body: { ...fields, isNote: false, cancelOnReply } },
        { quiet: true },
      )
  }
}
