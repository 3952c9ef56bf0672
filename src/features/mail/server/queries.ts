import { sql } from 'kysely'
import type { Queryable, Tx } from '#server/db/db.ts'

/** Where the company's mail settings stand. */
export const KEY = 'mail'

/** The company's stored mail settings, as JSON text; null when there are none. */
export async function findMail(db: Queryable): Promise<string | null> {
  const row = await db.selectFrom('settings').select('value').where('key', '=', KEY).executeTakeFirst()
  return row?.value ?? null
}

/** The keys with which mail passwords are encrypted. */
export async function keysOfMail(db: Tx): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select distinct split_part(sealed, '.', 1) as key from (
      select value::jsonb ->> 'sealed' as sealed from settings where key = ${KEY}
      union all select data #>> '{mail,sealed}' from installation
    ) kept where sealed is not null`.execute(db)
  return rows.map((row) => row.key)
}
