import { sql } from 'kysely'
import type { Queryable, Tx } from '#server/db/db.ts'

/** Whether any contact or ticket carries the tag. */
export async function tagIsUsed(db: Queryable, tagId: number): Promise<boolean> {
  const { rows } = await sql<{ used: boolean }>`select
    exists (select from contact_tags where tag_id = ${tagId}) or
    exists (select from ticket_tags where tag_id = ${tagId}) as used`.execute(db)
  return rows[0]!.used
}

/** Removes every farewell; answers which there were. */
export const removeFarewells = (db: Tx): Promise<{ id: number; name: string }[]> =>
  db.deleteFrom('farewells').returning(['id', 'name']).execute()
