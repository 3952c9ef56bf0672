import { sql, type Updateable } from 'kysely'
import type { DB } from '#db/types.ts'
import { firstOf } from '#domain/present.ts'
import type { Queryable, Tx } from '#server/db/db.ts'

/** Stored import of history. */
export type StoredImport = Awaited<ReturnType<typeof listImports>>[number]

const imports = (db: Queryable) =>
  db
    .selectFrom('history_imports as i')
    .innerJoin('connections as c', (join) =>
      join.onRef('c.tenant_id', '=', 'i.tenant_id').onRef('c.id', '=', 'i.connection_id'),
    )
    .leftJoin('users as u', (join) => join.onRef('u.tenant_id', '=', 'i.tenant_id').onRef('u.id', '=', 'i.user_id'))
    .selectAll('i')
    .select(['c.type', 'c.is_deleted', 'u.name as user_name'])

/** Returns the newest imports, of one connection if given. */
export const listImports = (db: Queryable, connectionId: number | undefined, most: number) =>
  imports(db)
    .$if(connectionId !== undefined, (query) => query.where('i.connection_id', '=', connectionId!))
    .orderBy('i.created_at', 'desc')
    .orderBy('i.id', 'desc')
    .limit(most)
    .execute()

/** Returns one import. */
export const findImport = (db: Queryable, id: string): Promise<StoredImport | undefined> =>
  imports(db).where('i.id', '=', id).executeTakeFirst()

/** Locks and returns one import. */
export async function lockImport(db: Tx, id: string): Promise<StoredImport | undefined> {
  const locked = await db.selectFrom('history_imports').select('id').where('id', '=', id).forUpdate().executeTakeFirst()
  return locked && findImport(db, id)
}

/** Returns the running import of a connection. */
export const findRunning = (db: Queryable, connectionId: number): Promise<StoredImport | undefined> =>
  imports(db).where('i.connection_id', '=', connectionId).where('i.status', '=', 'running').executeTakeFirst()

/** Stores a requested import; returns false if another one of the connection is running. */
export async function insertImport(
  db: Tx,
  row: {
    id: string
    connectionId: number
    userId: number
    conversationKey: string | null
    perChat: number
    since: Date | null
    until: Date | null
    hasGroups: boolean
    now: Date
  },
): Promise<boolean> {
  const made = await db
    .insertInto('history_imports')
    .values({
      tenant_id: sql<number>`app.tenant()`,
      id: row.id,
      connection_id: row.connectionId,
      user_id: row.userId,
      conversation_key: row.conversationKey,
      per_chat: row.perChat,
      since: row.since,
      until: row.until,
      has_groups: row.hasGroups,
      created_at: row.now,
      updated_at: row.now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return made !== undefined
}

/** Stores the progress of an import. */
export async function saveImport(
  db: Tx,
  id: string,
  change: Omit<Updateable<DB['history_imports']>, 'chats' | 'updated_at'> & { chats?: readonly string[] },
  now: Date,
): Promise<void> {
  const { chats, ...rest } = change
  await db
    .updateTable('history_imports')
    .set({ ...rest, ...(chats && { chats: JSON.stringify(chats) }), updated_at: now })
    .where('id', '=', id)
    .execute()
}

/**
 * Corrects the times of the next `most` imported messages after an id by those in the journal; returns the last id checked
 * (null: none was left), and the number of corrected times.
 */
export async function restoreTimes(
  db: Tx,
  after: string,
  most: number,
): Promise<{ last: string | null; mended: number }> {
  const { rows } = await sql<{ last: string | null; mended: number }>`
    with next as materialized (
      select m.id, m.connection_id, m.provider_id, m.timestamp from messages m
      where m.tenant_id = app.tenant() and m.sync_time is not null and m.id > ${after}::uuid order by m.id limit ${sql.lit(most)}),
    told as (
      select n.id, to_timestamp((j.payload -> 'message' ->> 'timestamp')::double precision / 1000.0) as at
      from next n join journal_processed j on j.tenant_id = app.tenant() and j.receipt_for = n.provider_id
        and j.connection_id = n.connection_id and j.payload ->> 'type' = 'history'),
    mended as (
      update messages m set timestamp = told.at, updated_at = app.now() from told
      where m.tenant_id = app.tenant() and m.id = told.id and m.timestamp <> told.at returning m.id)
    select (select max(id::text) from next) as last, (select count(*)::int from mended) as mended`.execute(db)
  return firstOf(rows)
}
