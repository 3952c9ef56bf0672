import { sql } from 'kysely'
import type { Queryable, Tx } from '#server/db/db.ts'

/** Returns the companies with an assistant's call since a moment; requires platform database access. */
export async function companiesWithCalls(db: Queryable, since: Date): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from tenants t where status = 'active' and exists (
      select from assistant_calls c where c.tenant_id = t.id and c.created_at >= ${since}) order by id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Stored warning. */
export type SavedWarning = { readonly about: string; readonly most: number; readonly level: number }

/** Stores warnings of a month; returns the new ones. Deletes those of earlier months. */
export async function saveWarnings(
  db: Tx,
  month: string,
  all: readonly SavedWarning[],
  now: Date,
): Promise<{ about: string; level: number }[]> {
  await db.deleteFrom('assistant_warnings').where('month', '<', month).execute()
  const { rows } = await sql<{ about: string; level: number }>`
    insert into assistant_warnings (tenant_id, month, about, most, level, created_at)
    select app.tenant(), ${month}, about, most, level, ${now}
    from jsonb_to_recordset(${JSON.stringify(all)}::jsonb) as w (about text, most numeric, level smallint)
    on conflict do nothing returning about, level`.execute(db)
  return rows
}

/** Whether administrators were warned of anything this month. */
export const hasWarnings = async (db: Queryable, month: string): Promise<boolean> =>
  (await db.selectFrom('assistant_warnings').select('month').where('month', '=', month).limit(1).execute()).length > 0
