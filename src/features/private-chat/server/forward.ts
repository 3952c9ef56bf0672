import { previewOf } from '#domain/messages/preview.ts'
import { shownText } from '#domain/messages/signature.ts'
import type { MessageType } from '#domain/messages/types.ts'
import { itemAt } from '#domain/present.ts'
import type { Peer } from '#domain/private-chat/conversation.ts'
import { MOST_TEXT } from '#domain/private-chat/limits.ts'
import { findMessages as findOfTickets, type MessageRecord } from '#features/ledger/server/messages/index.ts'
import { requireVisible } from '#features/visibility/server/index.ts'
import { fail } from '#kit/errors.ts'
import { may } from '#server/actors.ts'
import type { Forgetting } from '#server/forgetting.ts'
import { requireConversation } from './conversation.ts'
import { blankForwarded, findMessages, type PrivateRow } from './queries.ts'
import { type Draft, idOf, sentBefore, storeMessages, type UserCtx } from './write.ts'

/** Messages to forward to a colleague or a team, from the user's conversations or from a ticket that the user sees. */
export type Forwarding = {
  readonly id: string
  readonly to: Peer
  readonly messages: readonly string[]
  readonly ticketId: number | null
}

/** Forwards messages in the given order, with their files; idempotent by id. */
export async function forward(ctx: UserCtx, { id, to, messages, ticketId }: Forwarding): Promise<PrivateRow[]> {
  const conversation = await requireConversation(ctx.db, ctx.user.id, to)
  const ids = messages.map((_, index) => idOf(id, index))
  const earlier = await sentBefore(ctx, ids, conversation)
  if (earlier) return earlier
  const found = ticketId === null ? await ofConversations(ctx, messages) : await ofTicket(ctx, ticketId, messages)
  const drafts = ids.map(
    (one, index): Draft => ({ ...itemAt(found, index), id: one, quotedId: null, isForwarded: true }),
  )
  return storeMessages(ctx, conversation, drafts)
}

/** Blanks messages of a forgotten person that were forwarded to colleagues. */
export const forgetForwarded: Forgetting = async ({ db, now }, { ticketIds, fileIds }) => {
  fileIds.push(...(await blankForwarded(db, ticketIds, now)))
}

type Copied = Pick<Draft, 'text' | 'mediaType' | 'fileId' | 'ticketId'>

async function ofConversations({ db, user }: UserCtx, ids: readonly string[]): Promise<Copied[]> {
  const rows = await findMessages(db, user.id, ids)
  return ids.map((id) => {
    const row = rows.find((one) => one.id === id && !one.isDeleted)
    if (!row) return fail('ERR_NO_PRIVATE_MESSAGE')
    return { text: row.text, mediaType: row.mediaType, fileId: row.file?.id ?? null, ticketId: row.ticketId }
  })
}

// Notes cannot be forwarded, since their conversation decides who reads them.
async function ofTicket(ctx: UserCtx, ticketId: number, ids: readonly string[]): Promise<Copied[]> {
  if (!may(ctx.user, ctx.settings, 'messages:share')) fail('ERR_NO_PERMISSION')
  await requireVisible(ctx, ticketId)
  const rows = await findOfTickets(ctx.db, ids)
  return ids.map((id) => {
    const row = rows.find((one) => one.id === id && one.ticket_id === ticketId)
    return row && !row.is_deleted && !row.is_note ? copied(row) : fail('ERR_NOT_FORWARDABLE')
  })
}

const CARRIED: Readonly<Partial<Record<MessageType, Copied['mediaType']>>> = {
  ...{ image: 'image', sticker: 'image', video: 'video', audio: 'audio', document: 'document' },
}

// A message without file that is not a text is forwarded as text.
function copied(row: MessageRecord): Copied {
  const type = row.media_type
  const fileType = CARRIED[type]
  const shown = shownText({ body: row.body, userName: row.user_name, fromMe: row.from_me }).slice(0, MOST_TEXT)
  if (row.file_id && fileType) return { text: shown, mediaType: fileType, fileId: row.file_id, ticketId: row.ticket_id }
  const text = type === 'text' && shown ? shown : previewOf({ type, body: shown, mediaName: row.file_name })
  return { text, mediaType: 'text', fileId: null, ticketId: row.ticket_id }
}
