import { sql } from 'kysely'
import type { Queryable, Tx } from '#server/db/db.ts'

const KEY = 'mail'

/** The company's stored mail settings, as JSON text; null when there are none. */
export async function findMail(db: Queryable): Promise<string | null> {
  const row = await db.selectFrom('settings').select('value').where('key', '=', KEY).executeTakeFirst()
  return row?.value ?? null
}

/** Keeps the company's mail settings. */
export async function saveMail(db: Tx, tenantId: number, value: string): Promise<void> {
  await db
    .insertInto('settings')
    .values({ tenant_id: tenantId, key: KEY, value })
    .onConflict((c) => c.columns(['tenant_id', 'key']).doUpdateSet({ value, updated_at: sql`app.now()` }))
    .execute()
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
