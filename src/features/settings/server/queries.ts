import { sql } from 'kysely'
import type { Tx } from '#server/db/db.ts'

/** Locks the tenant's settings and returns them, so that concurrent writes are serialized. */
export async function lockSettings(db: Tx): Promise<Map<string, string>> {
  await sql`select pg_advisory_xact_lock(hashtextextended('settings ' || app.tenant(), 0))`.execute(db)
  const rows = await db.selectFrom('settings').select(['key', 'value']).execute()
  return new Map(rows.map((row) => [row.key, row.value]))
}

/** Stores settings of a company; the caller invalidates caches and publishes. */
export async function storeSettings(db: Tx, tenantId: number, values: Readonly<Record<string, string>>): Promise<void> {
  await sql`insert into settings (tenant_id, key, value)
    select ${tenantId}, key, value from jsonb_each_text(${JSON.stringify(values)}::jsonb)
    on conflict (tenant_id, key) do update set value = excluded.value, updated_at = app.now()`.execute(db)
}
