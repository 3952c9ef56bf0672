import { decodeCursor, encodeCursor } from '#kit/cursor.ts'
import { fail, required } from '#kit/errors.ts'
import type { Actor } from '#server/actors.ts'
import type { Ctx, ReadCtx } from '#server/context.ts'
import { implement } from '#server/http/route.ts'
import { type FastReply, fastReplies } from '../fast-replies.ts'
import {
  countFastReplies,
  deleteFastReply,
  type FastReplyRow,
  findFastReply,
  insertFastReply,
  listFastReplies,
  updateFastReply,
} from './queries-fast-replies.ts'

const PAGE = 40
const LAST_NUMBERED_PAGE = 50
const COUNTED = 1000

/** The operations on quick replies. */
export const fastReplyRoutes = implement(fastReplies.ops, {
  list: async ({ db, user }, { query }) => {
    if (query.pageNumber > LAST_NUMBERED_PAGE && !query.cursor) fail('ERR_PAGE_TOO_FAR')
    const after = query.cursor ? (decodeCursor(query.cursor, 2) as [string, number]) : null
    const asked = { userId: user.id, search: query.searchParam }
    const offset = after ? 0 : (query.pageNumber - 1) * PAGE
    const rows = await listFastReplies(db, { ...asked, after, offset, limit: PAGE + 1 })
    const count = await countFastReplies(db, { ...asked, most: COUNTED + 1 })
    const page = rows.slice(0, PAGE)
    const last = page.at(-1)
    const hasMore = rows.length > PAGE
    return {
      items: page.map((row) => wire(row, user)),
      count: Math.min(count, COUNTED),
      countIsCapped: count > COUNTED,
      hasMore,
      nextCursor: hasMore && last ? encodeCursor([last.key, last.id]) : null,
    }
  },
  get: async (ctx, { params }) => wire(await seen(ctx, params.id), ctx.user),
  create: async (ctx, { body }) => {
    const { key, message, ...rest } = columnsOf(body)
    const row = await insertFastReply(ctx.db, { key: key ?? '', message: message ?? '', ...rest, user_id: ctx.user.id })
    tell(ctx, row.id, 'create')
    return wire(row, ctx.user)
  },
  update: async (ctx, { params, body }) => {
    await own(ctx, params.id)
    const row = await updateFastReply(ctx.db, params.id, columnsOf(body))
    tell(ctx, row.id, 'update')
    return wire(row, ctx.user)
  },
  remove: async (ctx, { params }) => {
    await own(ctx, params.id)
    await deleteFastReply(ctx.db, params.id)
    tell(ctx, params.id, 'delete')
    return { message: 'ok' }
  },
})

const seen = async (ctx: Pick<ReadCtx, 'db'> & { user: Actor }, id: number): Promise<FastReplyRow> =>
  required(await findFastReply(ctx.db, id, ctx.user.id), 'ERR_NO_FAST_REPLY_FOUND')

const own = async (ctx: Ctx & { user: Actor }, id: number) =>
  mayChange(await seen(ctx, id), ctx.user) || fail('ERR_NO_PERMISSION')

const mayChange = (row: FastReplyRow, user: Actor): boolean =>
  row.user_id === user.id || (row.is_public && user.profile !== 'user')

const tell = (ctx: Ctx, id: number, action: 'create' | 'update' | 'delete') =>
  ctx.emit(fastReplies.changed, { id, action }, { kind: 'tenant' })

// People write the slash that they will type.
const columnsOf = ({
  key,
  title,
  message,
  isPublic,
}: Partial<Record<'key' | 'title' | 'message', string>> & { isPublic?: boolean }) => ({
  ...(key === undefined
    ? {}
    : { key: key.replace(/^\/+/, '') || fail('ERR_VALIDATION', { key: 'Preencha este campo.' }) }),
  ...(title === undefined ? {} : { title }),
  ...(message === undefined ? {} : { message }),
  ...(isPublic === undefined ? {} : { is_public: isPublic }),
})

const wire = (row: FastReplyRow, user: Actor): FastReply => ({
  id: row.id,
  key: row.key,
  title: row.title,
  message: row.message,
  isPublic: row.is_public,
  mayChange: mayChange(row, user),
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
})
