import { conversationOf, type Peer } from '#domain/private-chat/conversation.ts'
import { decodeCursor, encodeCursor } from '#kit/cursor.ts'
import { fail } from '#kit/errors.ts'
import type { Actor } from '#server/actors.ts'
import type { Ctx, ReadCtx } from '#server/context.ts'
import { patternOf } from '#server/db/like.ts'
import { privateChatEvents } from '../contract.ts'
import { requireConversation } from './conversation.ts'
import {
  findMessages,
  listMessages,
  listPositions,
  listReaders,
  type MomentKey,
  movePosition,
  type PrivateRow,
} from './queries.ts'
import { listUnread } from './queries-lists.ts'
import { serializeMessage } from './serializer.ts'

type Reading = ReadCtx & { user: Actor }
type Writing = Ctx & { user: Actor }

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

function cursorOf(cursor: string | undefined): MomentKey | null {
  if (!cursor) return null
  const [at, id] = decodeCursor(cursor, 2)
  const isValid = Number.isSafeInteger(at) && Math.abs(Number(at)) < 8.64e15 && typeof id === 'string' && UUID.test(id)
  return isValid ? [Number(at), id] : fail('ERR_VALIDATION', { cursor: 'A posição da lista não é válida.' })
}

/** Returns the rows of a page, newest first, and the cursor of older ones. */
function pageOf(found: readonly PrivateRow[], limit: number) {
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  const hasMore = found.length > limit
  const nextCursor = hasMore && last ? encodeCursor([last.sentAt.getTime(), last.id]) : null
  return { rows, paging: { count: rows.length, countIsCapped: hasMore, hasMore, nextCursor } }
}

const limitOf = ({ settings }: ReadCtx): number => Number(settings.values.privateMessageLimit)

/** Returns a page of a user's conversation, with the reading positions. */
export async function readConversation(ctx: Reading, peer: Peer, cursor: string | undefined) {
  const { db, user } = ctx
  const { key: conversation, ...shown } = await requireConversation(db, user.id, peer)
  const limit = limitOf(ctx)
  const wanted = { userId: user.id, conversation, before: cursorOf(cursor) }
  const { rows, paging } = pageOf(await listMessages(db, wanted, limit + 1), limit)
  const messages = rows.reverse().map((row) => serializeMessage(ctx, row))
  return { messages, positions: await listPositions(db, conversation), peer: shown, ...paging }
}

/** Returns a page of search results in one or all of the user's conversations. */
export async function searchMessages(
  ctx: Reading,
  peer: Peer | null,
  text: string | undefined,
  cursor: string | undefined,
) {
  const { db, user } = ctx
  const limit = limitOf(ctx)
  if (!text) return { messages: [], count: 0, countIsCapped: false, hasMore: false, nextCursor: null }
  const conversation = peer ? (await requireConversation(db, user.id, peer)).key : undefined
  const wanted = { userId: user.id, conversation, search: patternOf(text), before: cursorOf(cursor) }
  const { rows, paging } = pageOf(await listMessages(db, wanted, limit + 1), limit)
  return { messages: rows.map((row) => serializeMessage(ctx, row)), ...paging }
}

/** Marks a conversation as read, to a message or the end, and publishes the position. */
export async function markRead(ctx: Writing, peer: Peer, upTo?: string): Promise<void> {
  const { key } = await requireConversation(ctx.db, ctx.user.id, peer)
  if (upTo) {
    const [message] = await findMessages(ctx.db, ctx.user.id, [upTo])
    if (message?.conversation !== key) fail('ERR_NO_PRIVATE_MESSAGE')
  }
  await move(ctx, peer, upTo)
}

async function move(ctx: Writing, { id, isGroup }: Peer, upTo?: string): Promise<void> {
  const { db, user, now } = ctx
  const at = { userId: user.id, conversation: conversationOf(user.id, { id, isGroup }), upTo }
  const moved = await movePosition(db, { ...at, peerId: isGroup ? null : id, groupId: isGroup ? id : null })
  if (!moved) return
  const people = isGroup ? [] : [user.id, id]
  const ids = isGroup ? [...new Set([user.id, ...(await listReaders(db, id, now))])] : people
  const read = { userId: user.id, name: user.name, ...moved, people, groupId: isGroup ? id : null }
  ctx.emit(privateChatEvents.read, read, { kind: 'users', ids, isPersonal: true })
}

/** Marks all of the user's conversations as read. */
export async function markAllRead(ctx: Writing): Promise<void> {
  for (const { peerId, groupId } of await listUnread(ctx.db, ctx.user.id))
    await move(ctx, groupId === null ? { id: peerId!, isGroup: false } : { id: groupId, isGroup: true })
}

/** Counts the user's unread messages of colleagues and of teams. */
export async function countUnread({ db, user }: Reading): Promise<{ ofColleagues: number; ofGroups: number }> {
  const rows = await listUnread(db, user.id)
  const sum = (isGroup: boolean) =>
    rows.filter(({ groupId }) => (groupId !== null) === isGroup).reduce((all, { unread }) => all + unread, 0)
  return { ofColleagues: sum(false), ofGroups: sum(true) }
}
