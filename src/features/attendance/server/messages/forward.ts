import { textFieldIn } from '#domain/keys.ts'
import { pollOf, remoteOf } from '#domain/messages/data.ts'
import type { FileKind } from '#domain/messages/file-limits.ts'
import { interactiveAsText, isInteractive } from '#domain/messages/interactive.ts'
import { shownText } from '#domain/messages/signature.ts'
import { FORWARDED } from '#domain/messages/types.ts'
import { firstOf, itemAt, memberOf } from '#domain/present.ts'
import { findContact } from '#features/ledger/server/changes/index.ts'
import { afterMessages } from '#features/ledger/server/hooks/index.ts'
import {
  findByIdFront,
  findMessages,
  type MessageRecord,
  serializeMessage,
} from '#features/ledger/server/messages/index.ts'
import { requireWritable } from '#features/ledger/server/outbox/index.ts'
import { deltaOf } from '#features/ledger/server/rows/index.ts'
import { enqueueDue } from '#features/ledger/server/scheduled/index.ts'
import { lockLedgerTicket } from '#features/ledger/server/ticket/index.ts'
import { type MessageDraft, writeMessages } from '#features/ledger/server/writing/index.ts'
import type { messages } from '#features/messages/contract.ts'
import { carries, requireCarried, undoableUntil } from '#features/messages/server/send/index.ts'
import { ticketWith, wayFor } from '#features/tickets/server/begin/index.ts'
import { requireVisibleMessage } from '#features/visibility/server/index.ts'
import type { Input, Returned } from '#kit/contract.ts'
import { AppError, fail } from '#kit/errors.ts'
import type { ChannelCapabilities } from '#providers/channels/config.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import type { Actor } from '#server/actors.ts'
import { type Ctx, withSavepoint } from '#server/context.ts'

type UserCtx = Ctx & { user: Actor }

type Wish = Input<typeof messages.forward>['body']
type Answer = Returned<typeof messages.forward>

/**
 * Forwards messages in the order of their conversation, files by reference, to one contact, or to several with a result
 * each. Uses the contact's active ticket on its connection, or creates one (`wayFor`), unless a connection is given. A
 * repeated idFront returns the earlier messages.
 */
export async function forwardMessages(ctx: UserCtx, given: Wish): Promise<Answer> {
  const rows = await findMessages(ctx.db, given.messages)
  if (rows.length < new Set(given.messages).size) fail('ERR_FETCH_WAPP_MSG')
  for (const ticketId of new Set(rows.map((row) => row.ticket_id))) await requireVisibleMessage(ctx, ticketId)
  if (rows.some((row) => row.is_note || row.is_deleted || row.media_type === 'transfer')) fail('ERR_NOT_FORWARDABLE')
  const { idFront = ctx.newId(), contact, contacts = [], whatsappId } = given
  if (contact !== undefined) {
    const { messages: sent, ticket } = await forwardTo(ctx, rows, { contact, whatsappId, idFront })
    return { messages: sent, ticket, recipients: [wentTo(contact, sent, ticket.id)] }
  }
  const answer: Answer = { messages: [], ticket: null, recipients: [] }
  // In one order, to avoid deadlocks between two users who forward to the same people.
  for (const one of new Set(contacts.toSorted((a, b) => a - b)))
    try {
      const wish = { contact: one, whatsappId, idFront: `${idFront}:${one}` }
      const { messages: sent, ticket } = await withSavepoint(ctx, (part) =>
        forwardTo({ ...part, user: ctx.user }, rows, wish),
      )
      answer.messages.push(...sent)
      answer.ticket ??= ticket
      answer.recipients.push(wentTo(one, sent, ticket.id))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const username = textFieldIn(error.details?.['ticket'], 'username') || null
      answer.recipients.push({ contact: one, ticketId: null, error: error.code, username, messages: [] })
    }
  return answer
}

const wentTo = (contact: number, sent: readonly { id: string }[], ticketId: number) => ({
  ...{ contact, ticketId, error: null, username: null, messages: sent.map(({ id }) => id) },
})

async function forwardTo(
  ctx: UserCtx,
  rows: readonly MessageRecord[],
  { contact, whatsappId, idFront }: { contact: number; whatsappId: number | undefined; idFront: string },
) {
  const idFronts = rows.map((_, index) => (index === 0 ? idFront : `${idFront}:${index}`))
  const serialize = (all: readonly MessageRecord[]) =>
    all.map((row) => serializeMessage(ctx.platform, ctx.tenantId, row))
  // A repeat returns the earlier messages, whichever ticket the contact has now.
  const [before] = await findByIdFront(ctx.db, idFronts)
  const ticketId =
    before?.ticket_id ??
    (await ticketWith(ctx, contact, whatsappId ?? (await wayFor(ctx, contact, firstOf(rows).connection_id))))
  const ticket = (await lockLedgerTicket(ctx.db, ticketId)) ?? fail('ERR_NO_TICKET_FOUND')
  const earlier = await findByIdFront(ctx.db, idFronts)
  if (earlier.length > 0) {
    if (ticket.contact_id !== (await findContact(ctx.db, contact))?.id) fail('ERR_IDEMPOTENCY_MISMATCH')
    return { messages: serialize(earlier), ticket: deltaOf(ticket) }
  }
  await requireWritable(ctx, ticket)
  const capabilities = capabilitiesOf(ticket.channel)
  const sendAt = undoableUntil(ctx)
  const written = await writeMessages(
    ctx,
    rows.map(
      (row, index): MessageDraft => ({
        ...{ ticket, source: 'staff', by: ctx.user, sendType: FORWARDED, idFront: itemAt(idFronts, index) },
        ...contentOf(row, capabilities),
        ...(sendAt === null ? {} : { sendAt }),
      }),
    ),
  )
  // Waiting messages are published when they are sent.
  if (sendAt === null) await afterMessages(ctx, written)
  else enqueueDue(ctx, [sendAt])
  const sent = await findMessages(
    ctx.db,
    written.messages.map(({ id }) => id),
  )
  return { messages: serialize(sent), ticket: deltaOf(firstOf(written.tickets)) }
}

// Converts a message for the target channel; throws what the channel would refuse before anything is stored.
function contentOf(
  row: MessageRecord,
  capabilities: ChannelCapabilities,
): Pick<MessageDraft, 'mediaType' | 'body' | 'data' | 'fileId'> {
  if (!capabilities.forward) fail('ERR_CHANNEL_CANNOT')
  const shown = shownText({ fromMe: row.from_me, body: row.body, userName: row.user_name })
  // Forwards interactive parts as text: the receiver is not the one who was asked.
  const body = isInteractive(row.media_type) ? interactiveAsText(shown, row.data) : shown
  if (body.length > capabilities.maxTextLength) fail('ERR_MESSAGE_TOO_LONG', { maxLength: capabilities.maxTextLength })
  const mediaType = row.media_type
  if (row.file_id) {
    requireCarried(capabilities, mediaType as FileKind, { mime: row.file_mime!, size: row.file_size! })
    const { caption } = memberOf(capabilities.files, mediaType as FileKind)
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
