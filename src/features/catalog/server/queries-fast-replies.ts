import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { DB } from '#db/types.ts'
import type { Queryable, Tx } from '#server/db/db.ts'

type Replies<O> = SelectQueryBuilder<DB, 'fast_replies', O>

/** What may be stored of a quick reply. */
export type FastReplyValues = { key?: string; title?: string; message?: string; is_public?: boolean }

const seenBy = (db: Queryable, userId: number) =>
  db
    .selectFrom('fast_replies')
    .where((reply) => reply.or([reply('is_public', '=', true), reply('user_id', '=', userId)]))

function matching<O>(replies: Replies<O>, search: string | undefined): Replies<O> {
  if (!search) return replies
  const pattern = `%${search.replace(/^\/|[\\%_]/g, (found) => (found === '/' ? '' : `\\${found}`))}%`
  return replies.where(sql<SqlBool>`app.fold(key || ' ' || title || ' ' || message) like app.fold(${pattern}::text)`)
}

const columns = ['id', 'key', 'title', 'message', 'is_public', 'user_id', 'created_at', 'updated_at'] as const

/** A page of the shared quick replies and the user's own, by key; `after` is the last (key, id) of the page before. */
export function listFastReplies(
  db: Queryable,
  input: { userId: number; search: string | undefined; after: [string, number] | null; offset: number; limit: number },
) {
  let page = matching(seenBy(db, input.userId), input.search).select(columns)
  if (input.after)
    page = page.where(sql<SqlBool>`(app.fold(key), id) > (app.fold(${input.after[0]}::text), ${input.after[1]})`)
  return page.orderBy(sql`app.fold(key)`).orderBy('id').limit(input.limit).offset(input.offset).execute()
}

/** How many there are, counted up to `most`. */
export async function countFastReplies(
  db: Queryable,
  input: { userId: number; search: string | undefined; most: number },
): Promise<number> {
  const counted = matching(seenBy(db, input.userId), input.search).select('id').limit(input.most)
  const { n } = await db
    .selectFrom(counted.as('counted'))
    .select((counting) => counting.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return n
}

/** A quick reply that the user sees. */
export const findFastReply = (db: Queryable, id: number, userId: number) =>
  seenBy(db, userId).select(columns).where('id', '=', id).executeTakeFirst()

/** A quick reply, as these queries read it. */
export type FastReplyRow = NonNullable<Awaited<ReturnType<typeof findFastReply>>>

/** Stores a quick reply of a user. */
export const insertFastReply = (db: Tx, row: { key: string; message: string; user_id: number } & FastReplyValues) =>
  db
    .insertInto('fast_replies')
    .values({ tenant_id: sql`app.tenant()`, ...row })
    .returning(columns)
    .executeTakeFirstOrThrow()

/** Changes a quick reply. */
export const updateFastReply = (db: Tx, id: number, change: FastReplyValues) =>
  db
    .updateTable('fast_replies')
    .set({ ...change, updated_at: sql`app.now()` })
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow()

/** Deletes a quick reply. */
export const deleteFastReply = (db: Tx, id: number) => db.deleteFrom('fast_replies').where('id', '=', id).execute()

/** Own quick replies go with who leaves; shared ones stay, as nobody's. */
export async function forgetReplies(db: Tx, { id }: { readonly id: number }): Promise<void> {
  await db.deleteFrom('fast_replies').where('user_id', '=', id).where('is_public', '=', false).execute()
  await db.updateTable('fast_replies').set({ user_id: null }).where('user_id', '=', id).execute()
}
