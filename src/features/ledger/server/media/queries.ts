import { sql } from 'kysely'
import type { MessageData } from '#domain/messages/data.ts'
import type { Queryable, Tx } from '#server/db/db.ts'

/** Stores the pointers of messages' files, and whether they are fetched automatically; skips messages that were not stored. */
export async function insertDownloads(
  db: Tx,
  downloads: readonly { messageId: string; pointer: string; isWanted: boolean }[],
  now: Date,
): Promise<void> {
  if (downloads.length === 0) return
  await sql`
    insert into media_downloads (tenant_id, message_id, pointer, wanted_at)
    select m.tenant_id, m.id, d.pointer, case when d."isWanted" then ${now}::timestamptz end
    from jsonb_to_recordset(${JSON.stringify(downloads)}::jsonb) as d ("messageId" uuid, pointer text, "isWanted" boolean)
    join messages m on m.tenant_id = app.tenant() and m.id = d."messageId"`.execute(db)
}

/** Returns a pending file with its message; null if downloaded, or its pointer is gone. */
export const findDownload = async (db: Queryable, messageId: string) =>
  (await db
    .selectFrom('media_downloads as d')
    .innerJoin('messages as m', (join) =>
      join.onRef('m.tenant_id', '=', 'd.tenant_id').onRef('m.id', '=', 'd.message_id'),
    )
    .innerJoin('connections as c', (join) =>
      join.onRef('c.tenant_id', '=', 'm.tenant_id').onRef('c.id', '=', 'm.connection_id'),
    )
    .select(['d.pointer', 'd.failures', 'd.wanted_at', 'm.ticket_id', 'm.connection_id', 'm.provider_id'])
    .select(['m.media_type', 'm.data', 'm.is_deleted', 'c.type as channel'])
    .where('d.message_id', '=', messageId)
    .executeTakeFirst()) ?? null

/** Updates the download of a file; false if the file is already here. */
export async function updateDownload(
  db: Tx,
  messageId: string,
  change: { pointer?: string; failures?: number; wanted_at?: Date | null },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('media_downloads')
    .set(change)
    .where('message_id', '=', messageId)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Removes a pending download; false if already removed. */
export const removeDownload = async (db: Tx, messageId: string): Promise<boolean> =>
  (await db.deleteFrom('media_downloads').where('message_id', '=', messageId).executeTakeFirst()).numDeletedRows > 0n

/** Sets a message's file, or the progress of its download. */
export const updateRemote = async (
  db: Tx,
  messageId: string,
  change: { file_id: string; media_type: string; data: MessageData | null } | { data: MessageData },
  now: Date,
): Promise<void> =>
  void (await db
    .updateTable('messages')
    .set({ ...change, data: change.data && JSON.stringify(change.data), updated_at: now })
    .where('id', '=', messageId)
    .execute())

/** Returns at most `most` files that have waited since before a time; requires platform database access. */
export const wantedBefore = (db: Tx, before: Date, most: number) =>
  db
    .selectFrom('media_downloads')
    .select(['tenant_id', 'message_id'])
    .where('wanted_at', '<', before)
    .orderBy('wanted_at')
    .limit(most)
    .execute()

/** Stores the transcript of a recording. */
export const setTranscript = async (db: Tx, messageId: string, transcript: string, now: Date): Promise<void> =>
  void (await sql`update messages set data = coalesce(data, '{}') || ${JSON.stringify({ transcript })}::jsonb, updated_at = ${now}
    where tenant_id = app.tenant() and id = ${messageId}::uuid and not is_deleted`.execute(db))
