import { type Insertable, sql } from 'kysely'
import type { Tenants } from '#db/types.ts'
import type { Queryable, Tx } from '#server/db/db.ts'

/** What the health screen says about the database: its version, waiting inbound events, sends that hang. */
export async function databaseFacts(
  db: Queryable,
  now: Date,
): Promise<{ version: string; waiting: number; stuck: number }> {
  const { rows } = await sql<{ version: string; waiting: number; stuck: number }>`
    select current_setting('server_version') as version,
      (select count(*) from (select from journal where processed_at is null limit 10001) waiting) as waiting,
      (select count(*) from (select from messages where from_me and status in ('pending', 'queued')
        and schedule_date is null and created_at < ${now}::timestamptz - interval '5 minutes' limit 1001) stuck) as stuck`.execute(
    db,
  )
  return rows[0]!
}

/** How much of the plan is used. */
export async function tenantLimits(db: Queryable) {
  const tenant = await db.selectFrom('tenants').select(['max_users', 'max_connections']).executeTakeFirstOrThrow()
  const users = await db
    .selectFrom('users')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('is_active', '=', true)
    .executeTakeFirstOrThrow()
  const connections = await db
    .selectFrom('connections')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('is_deleted', '=', false)
    .executeTakeFirstOrThrow()
  return {
    users: users.n,
    maxUsers: tenant.max_users,
    connections: connections.n,
    maxConnections: tenant.max_connections,
  }
}

/**
 * Creates a company with whatever is said of it beside the defaults, however it comes to be; as the platform, because it
 * does not exist for anyone yet.
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

/** Makes somebody the owner of a company whose owner is nobody, or has left; false where there is one. */
export async function claimOwnership(db: Tx, tenantId: number, userId: number): Promise<boolean> {
  const { rows } = await sql`update tenants t set owner_id = ${userId} where t.id = ${tenantId} and not exists (
    select from users o where o.tenant_id = t.id and o.id = t.owner_id and o.is_active) returning t.id`.execute(db)
  if (rows.length > 0) await sql`select pg_notify('guiche_stale', ${`settings ${tenantId}`})`.execute(db)
  return rows.length > 0
}
