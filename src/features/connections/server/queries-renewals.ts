import { sql } from 'kysely'
import type { Tx } from '#server/db/db.ts'

/**
 * Returns connections of these types with a secret that expires before a moment (epoch ms; or with unknown expiry) and
 * was not tried since another; platform role.
 */
export async function findEndingSecrets(
  db: Tx,
  types: readonly string[],
  { until, triedBefore }: { readonly until: number; readonly triedBefore: number },
): Promise<{ tenantId: number; id: number }[]> {
  const { rows } = await sql<{ tenantId: number; id: number }>`
    select c.tenant_id as "tenantId", c.id from connections c join tenants t on t.id = c.tenant_id and t.status = 'active'
    where c.type = any(${types}::text[]) and c.status = 'CONNECTED' and not c.is_deleted
      and exists (select from jsonb_each(c.secrets) s
        where coalesce((s.value ->> 'until')::double precision, 0) < ${until}
          and coalesce((s.value ->> 'triedAt')::double precision, 0) < ${triedBefore})
    order by c.tenant_id, c.id`.execute(db)
  return rows
}
