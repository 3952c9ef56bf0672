import { sql } from 'kysely'
import type { Queryable, Tx } from '#server/db/db.ts'

/** Checks that the company offers a closing reason. */
export const isOffered = async (db: Queryable, reasonId: number): Promise<boolean> =>
  (await db
    .selectFrom('reasons')
    .select('id')
    .where('id', '=', reasonId)
    .where('is_active', '=', true)
    .executeTakeFirst()) !== undefined

/** Returns the text of a farewell. */
export const findFarewell = (db: Queryable, id: number): Promise<{ message: string } | undefined> =>
  db.selectFrom('farewells').select('message').where('id', '=', id).executeTakeFirst()

/** Returns the ids of tenants that close quiet conversations, in all queues or some; requires platform database access. */
export async function tenantsThatClose(db: Tx): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select t.id from tenants t where t.status = 'active' and (
      exists (select from settings s where s.tenant_id = t.id and s.key = 'autoClose' and s.value = 'enabled')
      or exists (select from queues q where q.tenant_id = t.id and q.auto_close = 'own'))`.execute(db)
  return rows.map(({ id }) => id)
}

/** Minutes after which quiet conversations close where their queue has no setting; null: never. */
type CompanyMinutes = number | null

/**
 * Locks conversations that were quiet for their configured time and whose customer waits for no reply; skips paused and
 * snoozed ones, and those locked elsewhere.
 */
export async function quietTickets(db: Tx, now: Date, company: CompanyMinutes, most: number): Promise<number[]> {
  const queues = await db.selectFrom('queues').select(['id', 'auto_close', 'auto_close_time']).execute()
  const own = queues.flatMap((row) =>
    row.auto_close === 'own' ? [[row.id, Number(row.auto_close_time)] as const] : [],
  )
  const apart = queues.filter((row) => row.auto_close !== 'company').map(({ id }) => id)
  const before = (minutes: number) => new Date(now.getTime() - minutes * 60_000)
  const shortest = Math.min(...own.map(([, minutes]) => minutes), ...(company === null ? [] : [company]))
  if (!Number.isFinite(shortest)) return []
  const rules = own.map(([id, minutes]) => sql`queue_id = ${id} and last_message_at < ${before(minutes)}`)
  if (company !== null)
    rules.push(sql`(queue_id is null or queue_id <> all(${apart}::bigint[])) and last_message_at < ${before(company)}`)
  const { rows } = await sql<{ id: number }>`
    select id from tickets where status in ('open', 'pending') and waiting_since is null and not is_group
      and paused_at is null and snoozed_until is null and last_message_at < ${before(shortest)}
      and (${sql.join(rules, sql` or `)})
    order by last_message_at limit ${most} for update skip locked`.execute(db)
  return rows.map((row) => row.id)
}

/** Returns the farewells that may apply to these tickets: their queue's (if it closes automatically) and their connection's. */
export async function farewellsAt(
  db: Tx,
  ticketIds: readonly number[],
): Promise<Map<number, { ofQueue: string | null; ofConnection: string }>> {
  const { rows } = await sql<{ id: number; ofQueue: string | null; ofConnection: string }>`
    select t.id, case when q.auto_close = 'own' then nullif(q.auto_close_message, '') end as "ofQueue",
      case when t.is_farewell_message or t.is_group or t.last_message_received_at is null then ''
        else c.farewell_message end as "ofConnection"
    from tickets t
    join connections c on c.tenant_id = t.tenant_id and c.id = t.connection_id
    left join queues q on q.tenant_id = t.tenant_id and q.id = t.queue_id
    where t.tenant_id = app.tenant() and t.id = any(${[...ticketIds]}::bigint[])`.execute(db)
  return new Map(rows.map(({ id, ...texts }) => [id, texts]))
}
