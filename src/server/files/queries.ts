import { type Insertable, type SqlBool, sql } from 'kysely'
import type { DB } from '#db/types.ts'
import type { Queryable, Tx } from '../db/db.ts'

/** Stores a file's row. */
export async function insertFile(db: Tx, row: Insertable<DB['files']>): Promise<void> {
  await db.insertInto('files').values(row).execute()
}

/** Finds a file's row. */
export const findFile = (db: Queryable, id: string) =>
  db.selectFrom('files').select(['path', 'name', 'mime', 'size', 'sha256']).where('id', '=', id).executeTakeFirst()

/** Returns the paths of some files. */
export const findPaths = (db: Queryable, ids: readonly string[]): Promise<{ id: string; path: string }[]> =>
  db
    .selectFrom('files')
    .select(['id', 'path'])
    .where(sql<SqlBool>`id = any(${[...ids]}::uuid[])`)
    .execute()

/**
 * Locks the path of a content until the end of the transaction: shared for those who put it there, exclusive for the one who
 * removes it.
 */
export async function lockContent(db: Tx, path: string, mode: 'put' | 'remove'): Promise<void> {
  const key = sql`hashtextextended(${path}, 8)`
  await (mode === 'put'
    ? sql`select pg_advisory_xact_lock_shared(${key})`
    : sql`select pg_advisory_xact_lock(${key})`
  ).execute(db)
}

/** Returns the columns with foreign keys to files, from the catalogue: includes every table that is added. */
export async function findHolders(db: Queryable): Promise<{ table: string; column: string }[]> {
  const { rows } = await sql<{ table: string; column: string }>`
    select t.relname as table, a.attname as column
    from pg_constraint k
    join pg_class t on t.oid = k.conrelid
    join pg_attribute a on a.attrelid = k.conrelid and a.attnum = any(k.conkey) and a.attname <> 'tenant_id'
    where k.contype = 'f' and k.confrelid = 'public.files'::regclass`.execute(db)
  return rows
}

/**
 * Selects unreferenced files created before a time: no foreign key, no counted holder, no pending event and no event set
 * aside.
 */
const orphans = (db: Queryable, holders: readonly { table: string; column: string }[], before: Date) =>
  holders
    .reduce(
      (files, { table, column }) =>
        files.where(
          sql<SqlBool>`not exists (select from ${sql.table(table)} h where h.tenant_id = f.tenant_id and h.${sql.ref(column)} = f.id)`,
        ),
      db.selectFrom('files as f').where('f.refs', '=', 0).where('f.created_at', '<', before),
    )
    .where(
      sql<SqlBool>`not exists (select from journal j where j.tenant_id = f.tenant_id and (j.processed_at is null or j.set_aside_at is not null)
        and f.id::text in (j.payload #>> '{message,fileId}', j.payload ->> 'fileId'))`,
    )

/** Returns some unreferenced files, with their paths. */
export const findOrphans = async (db: Queryable, before: Date, most: number): Promise<{ id: string; path: string }[]> =>
  orphans(db, await findHolders(db), before)
    .select(['f.id', 'f.path'])
    .orderBy('f.id')
    .limit(sql.lit(most))
    .execute()

/** Deletes the row of an unreferenced file; returns false if it is referenced by now. */
export async function deleteOrphan(db: Tx, id: string, before: Date): Promise<boolean> {
  const mine = orphans(db, await findHolders(db), before)
    .select('f.id')
    .where('f.id', '=', id)
  const { numDeletedRows } = await db.deleteFrom('files').where('id', 'in', mine).executeTakeFirst()
  return numDeletedRows > 0n
}

/** Whether a row refers to the path; the same content twice in a month is stored once. */
export const isNamed = async (db: Queryable, path: string, sha256: string): Promise<boolean> =>
  (await db
    .selectFrom('files')
    .select('id')
    .where('sha256', '=', sha256)
    .where('path', '=', path)
    .limit(1)
    .executeTakeFirst()) !== undefined
