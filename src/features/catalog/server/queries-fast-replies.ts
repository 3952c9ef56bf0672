import { type SqlBool, sql } from 'kysely'
import type { Tx } from '#server/db/db.ts'
import { tableOf } from '#server/table.ts'
import { type FastReply, fastReplies } from '../fast-replies.ts'

/** A quick reply as it is stored, with whose it is. */
export type FastReplyRow = Omit<FastReply, 'mayChange' | 'files'> & {
  userId: number | null
  files: Omit<FastReply['files'][number], 'url'>[]
}

/** The quick replies. */
export const fastReplyTable = tableOf<FastReplyRow>(fastReplies.spec, [
  sql`user_id as "userId"`,
  sql`uses`,
  sql`coalesce((
    select json_agg(json_build_object('id', f.id, 'name', f.name, 'mime', f.mime, 'size', f.size) order by r.position)
    from fast_reply_files r join files f on f.tenant_id = r.tenant_id and f.id = r.file_id
    where r.tenant_id = fast_replies.tenant_id and r.fast_reply_id = fast_replies.id), '[]') as files`,
])

/** Puts files behind those that a quick reply has. */
export async function addReplyFiles(db: Tx, id: number, fileIds: readonly string[]): Promise<void> {
  await sql`insert into fast_reply_files (tenant_id, fast_reply_id, file_id, position)
    select app.tenant(), ${id}, f.id, f.turn + (select count(*) from fast_reply_files where fast_reply_id = ${id})
    from unnest(${[...fileIds]}::uuid[]) with ordinality f (id, turn)`.execute(db)
}

/** Takes a file from a quick reply; whether it had it. */
export async function removeReplyFile(db: Tx, id: number, fileId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('fast_reply_files')
    .where('fast_reply_id', '=', id)
    .where('file_id', '=', fileId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Counts that a quick reply that somebody sees was sent; whether there is one. */
export async function countUse(db: Tx, id: number, userId: number): Promise<boolean> {
  const { numAffectedRows } =
    await sql`update fast_replies set uses = uses + 1 where id = ${id} and ${seenBy(userId)}`.execute(db)
  return numAffectedRows === 1n
}

/** The shared ones, and the user's own. */
export const seenBy = (userId: number) => sql<SqlBool>`(is_public or user_id = ${userId})`

/** Own quick replies go with who leaves; shared ones stay, as nobody's. */
export async function forgetReplies(db: Tx, { id }: { readonly id: number }): Promise<void> {
  await db.deleteFrom('fast_replies').where('user_id', '=', id).where('is_public', '=', false).execute()
  await db.updateTable('fast_replies').set({ user_id: null }).where('user_id', '=', id).execute()
}
