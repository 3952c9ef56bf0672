import { fail, required } from '#kit/errors.ts'
import type { Actor } from '#server/actors.ts'
import type { Ctx, ReadCtx } from '#server/context.ts'
import { implement } from '#server/http/route.ts'
import { type FastReply, fastReplies } from '../fast-replies.ts'
import { type FastReplyRow, fastReplyTable, seenBy } from './queries-fast-replies.ts'

type Asking = Pick<ReadCtx, 'db'> & { user: Actor }

/** The operations on quick replies. */
export const fastReplyRoutes = implement(fastReplies.ops, {
  list: async ({ db, user }, { query }) => {
    const asked = { ...query, searchParam: query.searchParam?.replace(/^\//, '') }
    const { rows, page } = await fastReplyTable.list(db, asked, seenBy(user.id))
    return { items: rows.map((row) => serialize(row, user)), ...page }
  },
  get: async (ctx, { params }) => serialize(await seenRow(ctx, params.id), ctx.user),
  create: async (ctx, { body }) => {
    const row = await fastReplyTable.insert(ctx.db, bare(body), ctx.now, { user_id: ctx.user.id })
    publish(ctx, row.id, 'create')
    return serialize(row, ctx.user)
  },
  update: async (ctx, { params, body }) => {
    await own(ctx, params.id)
    const row = required(await fastReplyTable.update(ctx.db, params.id, bare(body), ctx.now), 'ERR_NO_FAST_REPLY_FOUND')
    publish(ctx, row.id, 'update')
    return serialize(row, ctx.user)
  },
  remove: async (ctx, { params }) => {
    await own(ctx, params.id)
    await fastReplyTable.remove(ctx.db, params.id)
    publish(ctx, params.id, 'delete')
    return { message: 'ok' }
  },
})

const seenRow = async ({ db, user }: Asking, id: number): Promise<FastReplyRow> =>
  required(await fastReplyTable.find(db, id, seenBy(user.id)), 'ERR_NO_FAST_REPLY_FOUND')

const own = async (ctx: Asking, id: number) => mayChange(await seenRow(ctx, id), ctx.user) || fail('ERR_NO_PERMISSION')

const mayChange = (row: FastReplyRow, user: Actor): boolean =>
  row.userId === user.id || (row.isPublic && user.profile !== 'user')

const publish = (ctx: Ctx, id: number, action: 'create' | 'update' | 'delete') =>
  ctx.emit(fastReplies.changed, { id, action }, { kind: 'tenant' })

// People write the slash that they will type.
const bare = <B extends { key?: string | undefined }>(body: B): B =>
  body.key === undefined
    ? body
    : { ...body, key: body.key.replace(/^\/+/, '') || fail('ERR_VALIDATION', { key: 'Preencha este campo.' }) }

const serialize = (row: FastReplyRow, user: Actor): FastReply => ({
  ...row,
  mayChange: mayChange(row, user),
})
