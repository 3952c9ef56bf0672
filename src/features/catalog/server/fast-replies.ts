import { fail, required } from '#kit/errors.ts'
import type { Actor } from '#server/actors.ts'
import { type Ctx, type ReadCtx, unit } from '#server/context.ts'
import { fileUrl, storeUpload } from '#server/files/store.ts'
import { implement } from '#server/http/route.ts'
import { requireKnown } from '#server/resource.ts'
import { type FastReply, fastReplies, fastReplyFiles } from '../fast-replies.ts'
import {
  addReplyFiles,
  countUse,
  type FastReplyRow,
  fastReplyTable,
  removeReplyFile,
  seenBy,
} from './queries-fast-replies.ts'

type Asking = Pick<ReadCtx, 'db' | 'platform' | 'tenantId'> & { user: Actor }

const MOST_FILES = 10

/** Routes of quick replies. */
export const fastReplyRoutes = implement(fastReplies.ops, {
  list: async (ctx, { query }) => {
    const asked = { ...query, searchParam: query.searchParam?.replace(/^\//, '') }
    const { rows, page } = await fastReplyTable.list(ctx.db, asked, seenBy(ctx.user.id))
    return { items: rows.map((row) => serialize(ctx, row)), ...page }
  },
  get: async (ctx, { params }) => serialize(ctx, await seenRow(ctx, params.id)),
  create: async (ctx, { body }) => {
    await requireKnown(fastReplyTable, ctx.db, body)
    const row = await fastReplyTable.insert(ctx.db, bare(body), ctx.now, { user_id: ctx.user.id })
    publish(ctx, row.id, 'create')
    return serialize(ctx, row)
  },
  update: async (ctx, { params, body }) => {
    await own(ctx, params.id)
    await requireKnown(fastReplyTable, ctx.db, body)
    const row = required(await fastReplyTable.update(ctx.db, params.id, bare(body), ctx.now), 'ERR_NO_FAST_REPLY_FOUND')
    publish(ctx, row.id, 'update')
    return serialize(ctx, row)
  },
  remove: async (ctx, { params }) => {
    await own(ctx, params.id)
    await fastReplyTable.remove(ctx.db, params.id)
    publish(ctx, params.id, 'delete')
    return { message: 'ok' }
  },
})

/** Routes of quick replies' files. */
export const fastReplyFileRoutes = implement(fastReplyFiles, {
  add: ({ platform, tenantId, user }, { params: { id }, files }) =>
    unit(platform, { tenantId, user }, async (ctx) => {
      await fastReplyTable.lock(ctx.db, id)
      const asking = { ...ctx, user }
      await own(asking, id)
      if ((await seenRow(asking, id)).files.length + files.length > MOST_FILES) fail('ERR_MAX_FAST_REPLY_FILES')
      const stored: string[] = []
      for (const file of files) stored.push(await storeUpload(ctx, file))
      await addReplyFiles(ctx.db, id, stored)
      publish(ctx, id, 'update')
      return serialize(asking, await seenRow(asking, id))
    }),
  remove: async (ctx, { params: { id, fileId } }) => {
    await own(ctx, id)
    if (!(await removeReplyFile(ctx.db, id, fileId))) fail('ERR_NO_FAST_REPLY_FILE_FOUND')
    publish(ctx, id, 'update')
    return serialize(ctx, await seenRow(ctx, id))
  },
  use: async ({ db, user }, { params: { id } }) => {
    if (!(await countUse(db, id, user.id))) fail('ERR_NO_FAST_REPLY_FOUND')
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

const serialize = ({ platform, tenantId, user }: Asking, row: FastReplyRow): FastReply => ({
  ...row,
  files: row.files.map((file) => ({ ...file, url: fileUrl(platform, tenantId, file.id, file.name) })),
  mayChange: mayChange(row, user),
})
