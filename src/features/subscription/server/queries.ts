import { sql } from 'kysely'
import { firstOf } from '#domain/present.ts'
import type { Queryable } from '#server/db/db.ts'
import { COUNTED } from '#server/paging.ts'

/**
 * Returns the database facts of the health screen: version, waiting inbound events and stuck sends, each counted up to
 * `COUNTED`.
 */
export async function databaseFacts(
  db: Queryable,
  now: Date,
): Promise<{ version: string; waiting: number; stuck: number }> {
  const { rows } = await sql<{ version: string; waiting: number; stuck: number }>`
    select current_setting('server_version') as version,
      (select count(*) from (select from journal where processed_at is null limit ${sql.lit(COUNTED)}) waiting) as waiting,
      (select count(*) from (select from messages where from_me and status in ('pending', 'queued')
        and schedule_date is null and created_at < ${now}::timestamptz - interval '5 minutes' limit ${sql.lit(COUNTED)}) stuck) as stuck`.execute(
    db,
  )
  return firstOf(rows)
}

/** Returns the usage of the plan's limits. */
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
