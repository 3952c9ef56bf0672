import { pollOf, remoteOf } from '#domain/messages/data.ts'
import type { FileKind } from '#domain/messages/file-limits.ts'
import { interactiveAsText, isInteractive } from '#domain/messages/interactive.ts'
import { shownText } from '#domain/messages/signature.ts'
import { FORWARDED, type MessageType } from '#domain/messages/types.ts'
import { fail } from '#kit/errors.ts'
import type { ChannelCapabilities } from '#providers/channels/config.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import type { Actor } from '#server/actors.ts'
import type { Ctx } from '#server/context.ts'
import { afterMessages } from '../hooks.ts'
import { lockLedgerTicket } from '../ingest/ingest-queries.ts'
import { requireWritable } from '../outbox/window.ts'
import { enqueueDue } from '../schedules/due.ts'
import { requireVisibleMessage } from '../tickets/access.ts'
import { ticketWith } from '../tickets/create.ts'
import { deltaOf } from '../tickets/rows.ts'
import { findByIdFront, findMessages, type MessageRecord } from './queries.ts'
import { carries, requireCarried, undoableUntil } from './send.ts'
import { serializeMessage } from './serializer.ts'
import { type MessageDraft, writeMessages } from './write.ts'

type UserCtx = Ctx & { user: Actor }

/**
 * Passes messages on to a contact, in the order of their conversation, files by reference: on the connection of the first
 * unless another is named, into the contact's ticket there. Repeated with the same idFront it answers what was sent before.
 */
export async function forwardMessages(
  ctx: UserCtx,
  given: {
    messages: readonly string[]
    contact: number
    whatsappId?: number | undefined
    idFront?: string | undefined
  },
) {
  const rows = await findMessages(ctx.db, given.messages)
  if (rows.length < new Set(given.messages).size) fail('ERR_FETCH_WAPP_MSG')
  for (const ticketId of new Set(rows.map((row) => row.ticket_id))) await requireVisibleMessage(ctx, ticketId)
  if (rows.some((row) => row.is_note || row.is_deleted || row.media_type === 'transfer')) fail('ERR_NOT_FORWARDABLE')
  const { idFront = ctx.newId() } = given
  const idFronts = rows.map((_, index) => (index === 0 ? idFront : `${idFront}:${index}`))
  const ticketId = await ticketWith(ctx, given.contact, given.whatsappId ?? rows[0]!.connection_id)
  const ticket = (await lockLedgerTicket(ctx.db, ticketId)) ?? fail('ERR_NO_TICKET_FOUND')
  const earlier = await findByIdFront(ctx.db, idFronts)
  const serialize = (all: readonly MessageRecord[]) =>
    all.map((row) => serializeMessage(ctx.platform, ctx.tenantId, row))
  if (earlier.length > 0) {
    if (earlier.some((message) => message.ticket_id !== ticketId)) fail('ERR_IDEMPOTENCY_MISMATCH')
    return { messages: serialize(earlier), ticket: deltaOf(ticket) }
  }
  await requireWritable(ctx, ticket)
  const capabilities = capabilitiesOf(ticket.channel)
  const sendAt = undoableUntil(ctx)
  const written = await writeMessages(
    ctx,
    rows.map(
      (row, index): MessageDraft => ({
        ...{ ticket, source: 'staff', by: ctx.user, sendType: FORWARDED, idFront: idFronts[index]! },
        ...contentOf(row, capabilities),
        ...(sendAt === null ? {} : { sendAt }),
      }),
    ),
  )
  // What waits is told of when it leaves.
  if (sendAt === null) await afterMessages(ctx, written)
  else enqueueDue(ctx, [sendAt])
  const sent = await findMessages(
    ctx.db,
    written.messages.map(({ id }) => id),
  )
  return { messages: serialize(sent), ticket: deltaOf(written.tickets[0]!) }
}

// As the channel takes it: what it would refuse is refused before anything is stored.
function contentOf(
  row: MessageRecord,
  capabilities: ChannelCapabilities,
): Pick<MessageDraft, 'mediaType' | 'body' | 'data' | 'fileId'> {
  if (!capabilities.forward) fail('ERR_CHANNEL_CANNOT')
  const shown = shownText({ fromMe: row.from_me, body: row.body, userName: row.user_name })
  // What was to be pressed goes as words: whoever gets it was not asked.
  const body = isInteractive(row.media_type) ? interactiveAsText(shown, row.data) : shown
  if (body.length > capabilities.maxTextLength) fail('ERR_MESSAGE_TOO_LONG', { maxLength: capabilities.maxTextLength })
  const mediaType = row.media_type as MessageType
  if (row.file_id) {
    requireCarried(capabilities, mediaType as FileKind, { mime: row.file_mime!, size: row.file_size! })
    const { caption } = capabilities.files[mediaType as FileKind]!
    if (caption && body.length > caption) fail('ERR_MESSAGE_TOO_LONG', { maxLength: caption })
    return { mediaType, body: caption === false ? '' : body, fileId: row.file_id }
  }
  if (remoteOf(row.data)) fail('ERR_MEDIA_NOT_HERE')
  const poll = mediaType === 'poll' && pollOf(row.data)
  if (poll && !carries(capabilities, 'poll', row.data))
    return { mediaType: 'text', body: [body, ...poll.options.map((one) => `• ${one}`)].join('\n') }
  if (mediaType === 'contact' || mediaType === 'location' || poll) {
    if (!carries(capabilities, mediaType, row.data)) fail('ERR_CHANNEL_CANNOT')
    return { mediaType, body, data: row.data }
  }
  if (body === '') fail('ERR_NOT_FORWARDABLE')
  return { mediaType: 'text', body }
}
