import { type SqlBool, sql, type Updateable } from 'kysely'
import type { Tenants } from '#db/types.ts'
import { firstOf } from '#domain/present.ts'
import { countUpTo } from '#server/db/count.ts'
import type { Queryable, Tx } from '#server/db/db.ts'
import { patternOf } from '#server/db/like.ts'
import type { PageStart } from '#server/paging.ts'

/** Columns of a company for an update. */
export type TenantChange = Updateable<Tenants>

const userCount = sql`(select count(*) from users u where u.tenant_id = t.id and u.is_active)`
const connectionCount = sql`(select count(*) from connections c where c.tenant_id = t.id and not c.is_deleted)`

// Columns of a company that its own users may see; the tenant role can read them.
const own = (db: Queryable) =>
  db
    .selectFrom('tenants as t')
    .select([
      't.id',
      't.name',
      't.status',
      't.max_users',
      't.max_connections',
      't.max_assistant_answers',
      't.timezone',
      't.trial_ends_at',
      't.allowed_channels',
      't.excluded_features',
      't.created_at',
      sql<Date>`coalesce(t.trial_started_at, t.created_at)`.as('trial_began_at'),
      sql<number>`${userCount}`.as('users'),
      sql<number>`${connectionCount}`.as('connections'),
      sql<string>`coalesce((select s.value from settings s where s.tenant_id = t.id and s.key = 'menuVisibility'), '{}')`.as(
        'menu_visibility',
      ),
    ])

const all = (db: Tx) =>
  own(db)
    .leftJoin('plans as p', 'p.id', 't.plan_id')
    .leftJoin('users as o', (on) =>
      on.onRef('o.tenant_id', '=', 't.id').onRef('o.id', '=', 't.owner_id').on('o.is_active', '=', true),
    )
    .select([
      't.identity',
      't.domains',
      't.plan_id',
      't.updated_at',
      'p.name as plan_name',
      'o.name as owner_name',
      'o.email as owner_email',
      sql<string>`app.fold(t.name)`.as('sort_name'),
    ])

/** Finds the company as its own users see it. */
export const findOwn = (db: Queryable, id: number) => own(db).where('t.id', '=', id).executeTakeFirst()

/** Finds one company; requires platform database access. `lock` locks it until the end of the transaction. */
export const findCompany = (db: Tx, id: number, lock = false) =>
  all(db)
    .where('t.id', '=', id)
    .$if(lock, (query) => query.forUpdate('t'))
    .executeTakeFirst()

/** Returns those of the ids that companies have, in ascending order; requires platform database access. */
export async function existingCompanies(db: Queryable, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('tenants')
    .select('id')
    .where('id', 'in', [...ids])
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Rows of a company as its users and the superadmin see it. */
export type OwnRow = NonNullable<Awaited<ReturnType<typeof findOwn>>>
export type CompanyRow = NonNullable<Awaited<ReturnType<typeof findCompany>>>

type Wanted = {
  search: string | undefined
  status: 'active' | 'inactive' | undefined
  only: 'trial' | 'full' | undefined
  now: Date
}

/** SQL filters for companies on trial at a moment, and for those at their limit of users or connections. */
const isOnTrial = (now: Date) => sql<SqlBool>`(t.status = 'active' and coalesce(t.trial_ends_at > ${now}, false))`
const isFull = sql<SqlBool>`(${userCount} >= t.max_users or ${connectionCount} >= t.max_connections)`

const matching = ({ search, status, only, now }: Wanted) => {
  const pattern = patternOf(search ?? '')
  const texts = sql`concat_ws(' ', t.name, t.identity, array_to_string(t.domains, ' '),
    (select o.name || ' ' || o.email from users o where o.tenant_id = t.id and o.id = t.owner_id))`
  const found = search ? sql<SqlBool>`app.fold(${texts}) like app.fold(${pattern}::text)` : sql<SqlBool>`true`
  const kind = only ? (only === 'trial' ? isOnTrial(now) : isFull) : sql`true`
  return sql<SqlBool>`${status ? sql`t.status = ${status}` : sql`true`} and ${kind} and ${found}`
}

/** Counts the companies of each kind, with their total users and connections; requires platform database access. */
export async function sumCompanies(db: Tx, now: Date) {
  const { rows } = await sql<
    Record<'companies' | 'users' | 'connections' | 'active' | 'inactive' | 'trial' | 'ending' | 'full', number>
  >`
    select count(*)::int as companies, coalesce(sum(${userCount}), 0)::int as users,
      coalesce(sum(${connectionCount}), 0)::int as connections,
      count(*) filter (where t.status = 'active')::int as active,
      count(*) filter (where t.status = 'inactive')::int as inactive,
      count(*) filter (where ${isOnTrial(now)})::int as trial,
      count(*) filter (where ${isOnTrial(now)} and t.trial_ends_at < ${now}::timestamptz + interval '7 days')::int as ending,
      count(*) filter (where ${isFull})::int as "full"
    from tenants t`.execute(db)
  return firstOf(rows)
}

/**
 * Returns a page of companies by name, searched by name, identity, domain or administrator; requires platform database
 * access.
 */
export async function listCompanies(db: Tx, wanted: Wanted, { after, offset, limit }: PageStart<[string, number]>) {
  let query = all(db).where(matching(wanted))
  if (after) query = query.where(sql<SqlBool>`(app.fold(t.name), t.id) > (${after[0]}::text, ${after[1]}::bigint)`)
  return query.orderBy('sort_name').orderBy('t.id').limit(limit).offset(offset).execute()
}

/** Counts the companies found, up to `most`; requires platform database access. */
export const countCompanies = (db: Tx, wanted: Wanted, most: number): Promise<number> =>
  countUpTo(db, db.selectFrom('tenants as t').select('t.id').where(matching(wanted)), most)

/** Updates a company; requires platform database access. */
export async function updateCompany(db: Tx, id: number, change: TenantChange): Promise<void> {
  await db
    .updateTable('tenants')
    .set({ ...change, updated_at: sql`app.now()` })
    .where('id', '=', id)
    .execute()
}

/** Claims the beginning of a company's billing; false while it is billed, or another claim is newer than `lease`. */
export async function claimBilling(db: Tx, tenantId: number, now: Date, lease: Date): Promise<boolean> {
  const { rows } = await sql`update tenants set billing_claimed_at = ${now} where id = ${tenantId}
    and billed_since is null and coalesce(billing_claimed_at < ${lease}, true) returning id`.execute(db)
  return rows.length > 0
}

/** Locks the assignment of host names, so that two companies exchanging theirs do not deadlock. */
export async function lockDomains(db: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('domains', 0))`.execute(db)
}

/** Notifies every process of a company's change after the commit, so that it takes effect for its users. */
export async function notifyCompany(db: Tx, tenantId: number): Promise<void> {
  await sql`select pg_notify('guiche_stale', ${`settings ${tenantId}`})`.execute(db)
}

const COUNT_MS = 5000

/** Counts a company's messages, tickets and contacts; requires platform database access, time-out five seconds. */
export async function countEverything(db: Tx, tenantId: number) {
  await sql`select set_config('statement_timeout', ${String(COUNT_MS)}, true)`.execute(db)
  const { rows } = await sql<
    Record<'open' | 'pending' | 'closed' | 'schedule' | 'sent' | 'received' | 'contacts', number>
  >`
    select t.*, m.*, s.*, c.* from
      (select count(*) filter (where status = 'open') as open, count(*) filter (where status = 'pending') as pending,
        count(*) filter (where status = 'closed') as closed from tickets where tenant_id = ${tenantId}) t,
      (select count(*) filter (where not from_me) as received,
        count(*) filter (where from_me and status in ('sent', 'delivered', 'read', 'played')) as sent
        from messages where tenant_id = ${tenantId} and not is_note) m,
      (select count(distinct ticket_id) as schedule from messages where tenant_id = ${tenantId}
        and from_me and status in ('pending', 'queued') and schedule_date is not null) s,
      (select count(*) as contacts from contacts where tenant_id = ${tenantId}) c`.execute(db)
  return firstOf(rows)
}

const TREND_MS = 2000

/** Counts a company's messages per day since a moment, by day number; requires platform database access, time-out two seconds. */
export async function countDays(db: Tx, tenantId: number, since: Date): Promise<{ day: number; n: number }[]> {
  await sql`select set_config('statement_timeout', ${String(TREND_MS)}, true)`.execute(db)
  const { rows } = await sql<{ day: number; n: number }>`
    select floor(extract(epoch from timestamp - ${since}) / 86400)::int as day, count(*)::int as n from messages
    where tenant_id = ${tenantId} and timestamp >= ${since} and not is_note group by 1`.execute(db)
  return rows
}

/** Deactivates companies whose trial is over; returns their ids. */
export async function endTrials(db: Tx, now: Date): Promise<number[]> {
  const ended = await db
    .updateTable('tenants')
    .set({ status: 'inactive', updated_at: now })
    .where('trial_ends_at', '<=', now)
    .where('status', '=', 'active')
    .returning('id')
    .execute()
  for (const { id } of ended) await sql`select pg_notify('guiche_stale', ${`settings ${id}`})`.execute(db)
  return ended.map(({ id }) => id)
}
