import { messages } from '#features/messages/addresses.ts'
import type { OutboxFile } from '#features/messages/web/outbox/outbox-state.ts'
import { upload } from '#features/messages/web/outbox/upload.ts'
import { pathOf } from '#kit/addresses.ts'
import { call } from '#web/client.ts'
import { schedules } from '../addresses.ts'

/** Content to schedule: a text, or a file with caption. */
export type ScheduledPart = {
  body: string
  file: OutboxFile | null
  quotedMsgId?: string | undefined
  mail?: string | null
}
/** Time and repetition. */
export type Schedule = { scheduleDate: string; cancelOnReply: boolean; repeat: string | null }
/** Recipient: a ticket, or a contact over a connection, with or without a ticket. */
export type Recipient = { ticketId: number } | { whatsappId: number; contactId: number }

/** Schedules the parts one after the other; idempotent by id. */
export async function sendScheduled(
  to: Recipient,
  parts: readonly ScheduledPart[],
  { scheduleDate, cancelOnReply, repeat }: Schedule,
  idFront: string,
): Promise<void> {
  for (const [index, { body, file, quotedMsgId, mail }] of parts.entries()) {
    const fields = {
      idFront: `${idFront}:${index}`,
      body,
      scheduleDate,
      ...(quotedMsgId ? { quotedMsgId } : {}),
      ...(repeat ? { repeat } : {}),
      ...(mail ? { mail } : {}),
    }
    if (file) {
      const common = { ...fields, cancelOnReply: String(cancelOnReply) }
      const [path, where] =
        'ticketId' in to
          ? [pathOf(messages.send.path, to), { isNote: 'false' }]
          : [schedules.create.path, { whatsappId: String(to.whatsappId), contactId: String(to.contactId) }]
      await upload(path, { ...common, ...where }, file, () => {})
    } else if ('ticketId' in to)
      await call(messages.send, { params: to, body: { ...fields, isNote: false, cancelOnReply } }, { quiet: true })
    else await call(schedules.create, { body: { ...to, ...fields, cancelOnReply } }, { quiet: true })
  }
}
