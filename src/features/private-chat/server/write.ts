import { createHash } from 'node:crypto'
import { typeOfMime } from '#domain/messages/types.ts'
import { mentionedPeople, type Peer } from '#domain/private-chat/conversation.ts'
import { fail, required } from '#kit/errors.ts'
import type { Actor } from '#server/actors.ts'
import { type Ctx, unit } from '#server/context.ts'
import { storeUpload } from '#server/files/store.ts'
import type { Platform } from '#server/platform.ts'
import type { StoredFile } from '#server/storage.ts'
import { privateChatEvents } from '../contract.ts'
import { audienceOf, type Conversation, requireConversation, requireWritable } from './conversation.ts'
import {
  blankMessage,
  editMessage,
  findMessages,
  findSent,
  insertMessage,
  listMembers,
  lockMessage,
  type NewMessage,
  noteWritten,
  type PrivateRow,
  removeReaction,
  saveReaction,
} from './queries.ts'
import { lockMembership } from './queries-lists.ts'
import { serializeMessage } from './serializer.ts'

export type UserCtx = Ctx & { user: Actor }

/** New message to a colleague or a team. */
export type Written = {
  readonly peer: Peer
  readonly id: string
  readonly text: string
  readonly quotedId: string | null
  readonly files: readonly StoredFile[]
  /** Duration of a recording. */
  readonly durationMs?: number | undefined
}

/**
 * Stores a message for each file, the text with the first; idempotent by id. Throws 400 if empty, 403 for a team that the
 * user has left, 409 if the id belongs to another message.
 */
export const sendMessage = (platform: Platform, user: Actor, written: Written): Promise<PrivateRow[]> =>
  unit(platform, { tenantId: user.tenantId, user }, (ctx) => sendWithin({ ...ctx, user }, written))

async function sendWithin(ctx: UserCtx, written: Written): Promise<PrivateRow[]> {
  const { peer, id, text, quotedId, files, durationMs } = written
  const conversation = await requireConversation(ctx.db, ctx.user.id, peer)
  const ids = files.length > 1 ? files.map((_, index) => idOf(id, index)) : [id]
  const earlier = await sentBefore(ctx, ids, conversation)
  if (earlier) return earlier
  const body = text.trim()
  if (body === '' && files.length === 0) fail('ERR_MESSAGE_EMPTY')
  if (quotedId) await requireQuotable(ctx, quotedId, conversation)
  const messages: Draft[] = []
  for (const [index, one] of ids.entries()) {
    const file = files[index] && recorded(files[index], durationMs)
    const isFirst = index === 0
    messages.push({
      id: one,
      text: isFirst ? body : '',
      mediaType: file ? typeOfMime(file.mime) : 'text',
      fileId: file ? await storeUpload(ctx, file, { durationMs }) : null,
      quotedId: isFirst ? quotedId : null,
    })
  }
  return storeMessages(ctx, conversation, messages)
}

// Browsers record into containers that could hold a film as well.
const recorded = (file: StoredFile, durationMs: number | undefined): StoredFile =>
  durationMs === undefined ? file : { ...file, mime: file.mime.replace(/^video\//, 'audio/') }

/** Content of a message from its author. */
export type Draft = Pick<NewMessage, 'id' | 'text' | 'mediaType' | 'fileId' | 'quotedId' | 'isForwarded' | 'ticketId'>

/** Stores messages in a conversation of the user and publishes them; a repeated request returns the stored ones. */
export async function storeMessages(
  ctx: UserCtx,
  conversation: Conversation,
  messages: readonly Draft[],
): Promise<PrivateRow[]> {
  requireWritable(conversation)
  const { db, user, now } = ctx
  const { id, isGroup, key } = conversation
  if (isGroup && !(await lockMembership(db, user.id, id))) fail('ERR_PRIVATE_GROUP_LEFT')
  const members = isGroup ? (await listMembers(db, id)).filter((one) => one.id !== user.id) : []
  const whose = { conversation: key, senderId: user.id, receiverId: isGroup ? null : id, groupId: isGroup ? id : null }
  for (const message of messages) {
    const mentions = mentionedPeople(message.text, members)
    // A repeat that ran at the same time has waited here.
    if (!(await insertMessage(db, { ...message, ...whose, mentions }, now)))
      return (
        (await sentBefore(
          ctx,
          messages.map((one) => one.id),
          conversation,
        )) ?? fail('ERR_IDEMPOTENCY_MISMATCH')
      )
  }
  if (!isGroup) await noteWritten(db, { conversation: key, people: [user.id, id] }, now)
  return publish(
    ctx,
    messages.map((one) => one.id),
    'create',
  )
}

/**
 * Returns the messages stored earlier under these ids, in order; undefined if none. Throws 409 if one belongs to another
 * user or conversation.
 */
export async function sentBefore(ctx: UserCtx, ids: readonly string[], conversation: Conversation) {
  const earlier = await findSent(ctx.db, ids)
  if (earlier.length === 0) return undefined
  const isSame = earlier.every((one) => one.senderId === ctx.user.id && one.conversation === conversation.key)
  if (!isSame) fail('ERR_IDEMPOTENCY_MISMATCH')
  return inOrder(await findMessages(ctx.db, ctx.user.id, ids), ids)
}

const inOrder = (rows: readonly PrivateRow[], ids: readonly string[]): PrivateRow[] =>
  ids.flatMap((id) => rows.find((row) => row.id === id) ?? [])

async function requireQuotable(ctx: UserCtx, quotedId: string, { key }: Conversation): Promise<void> {
  const [quoted] = await findMessages(ctx.db, ctx.user.id, [quotedId])
  if (!quoted || quoted.isDeleted || quoted.conversation !== key) fail('ERR_NO_PRIVATE_MESSAGE')
}

/** Returns the id of a request's further messages, derived from the first (UUID version 8). */
export function idOf(id: string, index: number): string {
  if (index === 0) return id
  const hex = createHash('sha256').update(`${id}:${index}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** Publishes created or updated messages to the users who may read them; returns the messages. */
async function publish(ctx: UserCtx, ids: readonly string[], what: 'create' | 'update'): Promise<PrivateRow[]> {
  const rows = inOrder(await findMessages(ctx.db, ctx.user.id, ids), ids)
  for (const row of rows) ctx.emit(privateChatEvents[what], serializeMessage(ctx, row), await audienceOf(ctx.db, row))
  return rows
}

async function changed(ctx: UserCtx, id: string) {
  const [row] = await publish(ctx, [id], 'update')
  return serializeMessage(ctx, required(row, 'ERR_NO_PRIVATE_MESSAGE'))
}

async function requireOwn(ctx: UserCtx, id: string): Promise<void> {
  const message = required(await lockMessage(ctx.db, ctx.user.id, id), 'ERR_NO_PRIVATE_MESSAGE')
  if (message.senderId !== ctx.user.id) fail('ERR_PRIVATE_MESSAGE_OTHERS')
  if (message.isDeleted) fail('ERR_NO_PRIVATE_MESSAGE')
}

/** Replaces the text of the user's own message. */
export async function edit(ctx: UserCtx, id: string, text: string) {
  await requireOwn(ctx, id)
  await editMessage(ctx.db, id, text, ctx.now)
  return changed(ctx, id)
}

/** Deletes the user's own message, for everyone. */
export async function remove(ctx: UserCtx, id: string) {
  await requireOwn(ctx, id)
  await blankMessage(ctx.db, id, ctx.now)
  return changed(ctx, id)
}

/** Stores the user's reaction to a readable message; null removes it. */
export async function react(ctx: UserCtx, id: string, emoji: string | null) {
  const message = required(await lockMessage(ctx.db, ctx.user.id, id), 'ERR_NO_PRIVATE_MESSAGE')
  if (message.isDeleted) fail('ERR_NO_PRIVATE_MESSAGE')
  if (emoji === null) await removeReaction(ctx.db, id, ctx.user.id)
  else await saveReaction(ctx.db, id, ctx.user.id, emoji, ctx.now)
  return changed(ctx, id)
}
