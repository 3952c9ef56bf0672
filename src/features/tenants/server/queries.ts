import { type Insertable, sql } from 'kysely'
import type { Tenants } from '#db/types.ts'
import type { Tx } from '#server/db/db.ts'

/**
 * Creates a company with the given values and the defaults; requires platform database access, since the company does not
 * exist yet.
 */
export async function createTenant(db: Tx, input: Insertable<Tenants>): Promise<number> {
  const row = await db.insertInto('tenants').values(input).returning('id').executeTakeFirstOrThrow()
  await sql`insert into feed_heads (tenant_id) values (${row.id})`.execute(db)
  return row.id
}

/** Names the owner of a company. */
export async function setOwner(db: Tx, tenantId: number, userId: number): Promise<void> {
  await db.updateTable('tenants').set({ owner_id: userId }).where('id', '=', tenantId).execute()
}

/** Makes a user the owner of a company without owner, or whose owner has left; returns false if there is one. */
export async function claimOwnership(db: Tx, tenantId: number, userId: number): Promise<boolean> {
  const { rows } = await sql`update tenants t set owner_id = ${userId} where t.id = ${tenantId} and not exists (
    select from users o where o.tenant_id = t.id and o.id = t.owner_id and o.is_active) returning t.id`.execute(db)
  if (rows.length > 0) await sql`select pg_notify('guiche_stale', ${`settings ${tenantId}`})`.execute(db)
  return rows.length > 0
}
