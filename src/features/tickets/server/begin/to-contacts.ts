import { typeOfMime } from '#domain/messages/types.ts'
import { findActive, findContact, insertLogs, insertTicket } from '#features/ledger/server/changes/index.ts'
import { afterMessages } from '#features/ledger/server/hooks/index.ts'
import { findByIdFront } from '#features/ledger/server/messages/index.ts'
import { isWritable } from '#features/ledger/server/outbox/index.ts'
import { findConnection } from '#features/ledger/server/rows/index.ts'
import { lastTicket } from '#features/ledger/server/scheduled/index.ts'
import { lockLedgerTicket } from '#features/ledger/server/ticket/index.ts'
import { filledIn, writeMessages } from '#features/ledger/server/writing/index.ts'
import { AppError, type ErrorCode } from '#kit/errors.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import type { Ctx } from '#server/context.ts'
import { keyFor } from './create.ts'

/** What the product says to contacts in its own name, on one connection, with variables. */
export type ToContacts = {
  readonly connectionId: number
  readonly contactIds: readonly number[]
  readonly body: string
  readonly file: { readonly id: string; readonly mime: string } | null
  readonly sendType: string
  /** Under which it is said to one contact once, however often it is asked for; its words are as they are, without variables. */
  readonly idFront?: string
}

/**
 * Says it to each contact in the conversation of that connection: the live ticket, else the last one, which stays closed,
 * else one that is closed from its beginning. Answers to whom it cannot be said, and why.
 */
export async function writeToContacts(ctx: Ctx, message: ToContacts): Promise<Map<number, ErrorCode>> {
  const refused = new Map<number, ErrorCode>()
  if (message.idFront && (await findByIdFront(ctx.db, [message.idFront])).length > 0) return refused
  const connection = await findConnection(ctx.db, message.connectionId)
  const { files } = capabilitiesOf(connection?.type ?? '')
  const kind = message.file && typeOfMime(message.file.mime)
  for (const contactId of message.contactIds) {
    const contact = await findContact(ctx.db, contactId)
    if (!contact || !connection) {
      refused.set(contactId, contact ? 'ERR_NO_WAPP_FOUND' : 'ERR_NO_CONTACT_FOUND')
      continue
    }
    if (contact.blocked) {
      refused.set(contactId, 'ERR_CONTACT_BLOCKED')
      continue
    }
    const key = await keyFor(ctx, contact, connection.type).catch((error: unknown) => {
      if (error instanceof AppError) return null
      throw error
    })
    if (key === null) {
      refused.set(contactId, 'ERR_WAPP_CHECK_CONTACT')
      continue
    }
    if (!(await isWritable(ctx, connection.type, { connectionId: connection.id, conversationKey: key }))) {
      refused.set(contactId, 'ERR_WINDOW_CLOSED')
      continue
    }
    if (kind && !files[kind]) {
      refused.set(contactId, 'ERR_FILE_NOT_CARRIED')
      continue
    }
    const known = (await findActive(ctx.db, connection.id, key)) ?? (await lastTicket(ctx.db, connection.id, key))
    const id = known?.id ?? (await beginClosed(ctx, contact, connection, key))
    const opened = known ? [] : [id]
    const ticket = (await lockLedgerTicket(ctx.db, id))!
    const { sendType, file, idFront } = message
    const body = idFront ? message.body : await filledIn(ctx, ticket.id, message.body)
    const draft = { ticket, source: 'system', mediaType: kind ?? 'text', body, sendType } as const
    const more = { ...(file ? { fileId: file.id } : {}), ...(idFront ? { idFront } : {}) }
    const written = await writeMessages(ctx, [{ ...draft, ...more }], opened)
    await afterMessages(ctx, { ...written, isAutomatic: true }, opened)
  }
  return refused
}

// It counts in no figure, and nobody has to attend it.
async function beginClosed(
  ctx: Ctx,
  contact: { id: number; is_group: boolean },
  connection: { id: number; type: string; queue_id: number | null },
  key: string,
): Promise<number> {
  const id = await insertTicket(ctx.db, {
    ...{ status: 'closed', user_id: null, queue_id: connection.queue_id, connection_id: connection.id },
    ...{ contact_id: contact.id, conversation_key: key, channel: connection.type, is_group: contact.is_group },
    ...{ is_active_demand: true, started_attendance_at: null, now: ctx.now },
  })
  await insertLogs(ctx.db, id!, [{ type: 'create', userId: null, queueId: connection.queue_id }], ctx.now)
  return id!
}
