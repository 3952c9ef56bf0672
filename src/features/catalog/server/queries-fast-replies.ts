import { type SqlBool, sql } from 'kysely'
import type { Tx } from '#server/db/db.ts'
import { tableOf } from '#server/table.ts'
import { type FastReply, fastReplies } from '../fast-replies.ts'

/** Row of a quick reply, with its owner. */
export type FastReplyRow = Omit<FastReply, 'mayChange' | 'files'> & {
  userId: number | null
  files: Omit<FastReply['files'][number], 'url'>[]
}

/** Table access to quick replies. */
export const fastReplyTable = tableOf<FastReplyRow>(fastReplies.spec, [
  sql`user_id as "userId"`,
  sql`uses`,
  sql`coalesce((
    select json_agg(json_build_object('id', f.id, 'name', f.name, 'mime', f.mime, 'size', f.size) order by r.position)
    from fast_reply_files r join files f on f.tenant_id = r.tenant_id and f.id = r.file_id
    where r.tenant_id = fast_replies.tenant_id and r.fast_reply_id = fast_replies.id), '[]') as files`,
])

/** Appends files to a quick reply. */
export async function addReplyFiles(db: Tx, id: number, fileIds: readonly string[]): Promise<void> {
  await sql`insert into fast_reply_files (tenant_id, fast_reply_id, file_id, position)
    select app.tenant(), ${id}, f.id, f.turn + (select count(*) from fast_reply_files where fast_reply_id = ${id})
    from unnest(${[...fileIds]}::uuid[]) with ordinality f (id, turn)`.execute(db)
}

/** Removes a file from a quick reply; returns whether it had the file. */
export async function removeReplyFile(db: Tx, id: number, fileId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('fast_reply_files')
    .where('fast_reply_id', '=', id)
    .where('file_id', '=', fileId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Counts a use of a quick reply that a user sees; returns whether it exists. */
export async function countUse(db: Tx, id: number, userId: number): Promise<boolean> {
  const { numAffectedRows } =
    await sql`update fast_replies set uses = uses + 1 where id = ${id} and ${seenBy(userId)}`.execute(db)
  return numAffectedRows === 1n
}

/** SQL filter for the shared quick replies and the user's own. */
export const seenBy = (userId: number) => sql<SqlBool>`(is_public or user_id = ${userId})`

/** Deletes the own quick replies of a user who leaves; shared ones remain without owner. */
export async function forgetReplies(db: Tx, { id }: { readonly id: number }): Promise<void> {
  await db.deleteFrom('fast_replies').where('user_id', '=', id).where('is_public', '=', false).execute()
  await db.updateTable('fast_replies').set({ user_id: null }).where('user_id', '=', id).execute()
}
