import { sql } from 'kysely'
import type { Queryable, Tx } from '#server/db/db.ts'

/** Key of the company's mail settings. */
export const KEY = 'mail'

/** Returns the company's stored mail settings as JSON text; null if none. */
export async function findMail(db: Queryable): Promise<string | null> {
  const row = await db.selectFrom('settings').select('value').where('key', '=', KEY).executeTakeFirst()
  return row?.value ?? null
}

/** Returns the names of the keys that encrypt mail passwords. */
export async function keysOfMail(db: Tx): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select distinct split_part(sealed, '.', 1) as key from (
      select value::jsonb ->> 'sealed' as sealed from settings where key = ${KEY}
      union all select data #>> '{mail,sealed}' from installation
    ) kept where sealed is not null`.execute(db)
  return rows.map((row) => row.key)
}
