import type { Insertable } from 'kysely'
import type { DB } from '#db/types.ts'
import type { Queryable, Tx } from '#server/db/db.ts'

/** Stores a file's row. */
export async function insertFile(db: Tx, row: Insertable<DB['files']>): Promise<void> {
  await db.insertInto('files').values(row).execute()
}

/** A file's row. */
export const findFile = (db: Queryable, id: string) =>
  db.selectFrom('files').select(['path', 'name', 'mime', 'size', 'sha256']).where('id', '=', id).executeTakeFirst()
