import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { BusinessDay } from '#domain/calendar/business-hours.ts'
import type { DistributionMode, WaitingTicket } from '#domain/distribution/distribute.ts'
import type { LogData } from '#domain/tickets/logs.ts'
import type { Queryable, Tx } from '#server/db/db.ts'

// Waits for a person: no group, not snoozed, not attended by a flow or an assistant (unless it failed).
const isWaiting = sql<SqlBool>`t.status = 'pending' and t.user_id is null and not t.is_group and t.snoozed_until is null
  and t.chat_flow_id is null and not app.is_assisted(t.assistants)`

/** Takes the company's transaction lock for distribution, so that counts stay valid until its end. */
export async function lockDistribution(db: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(7230, app.tenant()::int)`.execute(db)
}

/** Returns the companies with automatic distribution, overflow or return of tickets; platform role. */
export async function tenantsThatDistribute(db: Queryable): Promise<{ id: number }[]> {
  const { rows } = await sql<{ id: number }>`
    select t.id from tenants t where t.status = 'active' and (
      exists (select from settings s where s.tenant_id = t.id and s.key in ('selfDistribute', 'returnAbsent') and s.value = 'enabled')
      or exists (select from queues q where q.tenant_id = t.id
        and (q.distribution in ('R', 'B', 'S') or q.overflow_queue_id is not null)))`.execute(db)
  return rows
}

/** Returns distribution mode (null: the company's) and overflow of each active queue. */
export async function findQueueRules(db: Queryable) {
  const { rows } = await sql<{
    id: number
    mode: DistributionMode | null
    overflowQueueId: number | null
    overflowMinutes: number | null
  }>`select id, distribution as mode, overflow_queue_id as "overflowQueueId", overflow_minutes as "overflowMinutes"
    from queues where is_active`.execute(db)
  return rows
}

/** Time without activity after which a user counts as absent, in ms; open browsers renew their session every 15 min. */
const UNSEEN_MS = 20 * 60_000
const seenSince = (now: Date) => new Date(now.getTime() - UNSEEN_MS)
const lastSeen = sql<Date | null>`(select max(s.last_used_at) from sessions s
  where s.tenant_id = u.tenant_id and s.user_id = u.id and s.revoked_at is null)`

/** Stored person who may get tickets. */
export type PersonRow = {
  id: number
  name: string
  email: string
  profile: string
  week: BusinessDay[] | null
  isOnline: boolean
  isPaused: boolean
  queueIds: number[]
  connectionIds: number[]
  capacity: number | null
  /** Open tickets that count: no groups, none that is paused. */
  open: number
  turn: number
}

/** Returns everyone who works here, or those with these ids, by id. */
export async function findPeople(db: Queryable, now: Date, only?: readonly number[]): Promise<PersonRow[]> {
  const whom = only ? sql`u.id = any(${[...only]}::bigint[])` : sql`u.profile <> 'superadmin' and not u.is_support`
  const owned = only ? sql`t.user_id = any(${[...only]}::bigint[])` : sql`t.user_id is not null`
  const { rows } = await sql<PersonRow>`
    select u.id, u.name, u.email, u.profile, u.business_hours as week, u.capacity,
      u.is_online and coalesce(${lastSeen} > ${seenSince(now)}, false) as "isOnline",
      coalesce(u.away_until > ${now}, false) as "isPaused",
      array(select q.queue_id from user_queues q where q.tenant_id = u.tenant_id and q.user_id = u.id) as "queueIds",
      array(select c.connection_id from user_connections c where c.tenant_id = u.tenant_id and c.user_id = u.id) as "connectionIds",
      coalesce(o.open, 0) as open,
      coalesce((select d.turn from distribution_turns d where d.tenant_id = u.tenant_id and d.user_id = u.id), 0) as turn
    from users u
    -- Counted once for all: for each by itself the planner may read everybody's.
    left join (select t.user_id, count(*)::int as open from tickets t
      where t.status = 'open' and not t.is_group and t.paused_at is null and ${owned} group by t.user_id) o on o.user_id = u.id
    where u.is_active and ${whom} order by u.id`.execute(db)
  return rows
}

/** Returns the wallet owners of a contact. */
export async function findOwners(db: Queryable, contactId: number): Promise<number[]> {
  const rows = await db.selectFrom('contact_wallets').select('user_id').where('contact_id', '=', contactId).execute()
  return rows.map((row) => row.user_id)
}

/** Records the time since when tickets wait in which queue (locked ones the next time), and deletes those that no longer wait. */
export async function noteWaits(db: Tx, now: Date): Promise<void> {
  // By id: for a join, the planner may compare every wait with every waiting ticket.
  await sql`delete from ticket_waits w where not coalesce((
    select ${isWaiting} from tickets t where t.tenant_id = w.tenant_id and t.id = w.ticket_id), false)`.execute(db)
  await sql`
    insert into ticket_waits (tenant_id, ticket_id, since, queue_id, queue_since, visited)
    select t.tenant_id, t.id, ${beganAt}, t.queue_id, ${beganAt}, array_remove(array[t.queue_id], null)
    from tickets t left join ticket_waits w on w.tenant_id = t.tenant_id and w.ticket_id = t.id
    where ${isWaiting} and (w.ticket_id is null or w.queue_id is distinct from t.queue_id)
    for key share of t skip locked
    on conflict (tenant_id, ticket_id) do update set queue_id = excluded.queue_id, queue_since = ${now},
      visited = ticket_waits.visited || excluded.visited`.execute(db)
}

// If nothing is recorded yet: the time since when the customer waits, else of the ticket's change.
const beganAt = sql<Date>`coalesce(t.waiting_since, t.updated_at)`

/** Maximum number of waiting tickets that are looked at, longest waiting first. */
const MOST_WAITING = 5000

/** Returns the tickets that wait for a person, longest first; `withOwners`: with the users whose wallets contain the customer. */
export async function findWaiting(db: Queryable, withOwners: boolean): Promise<WaitingTicket[]> {
  const owners = withOwners
    ? sql`array(select m.user_id from contact_wallets m join users u on u.tenant_id = m.tenant_id and u.id = m.user_id
        where m.tenant_id = t.tenant_id and m.contact_id = t.contact_id and u.is_active)`
    : sql`'{}'::bigint[]`
  const { rows } = await sql<Omit<WaitingTicket, 'since' | 'queueSince'> & { since: Date; queueSince: Date }>`
    select t.id, t.queue_id as "queueId", t.connection_id as "connectionId", ${owners} as owners,
      coalesce(w.since, ${beganAt}) as since, coalesce(w.queue_since, ${beganAt}) as "queueSince",
      coalesce(w.visited, array_remove(array[t.queue_id], null)) as visited
    from tickets t left join ticket_waits w on w.tenant_id = t.tenant_id and w.ticket_id = t.id
    where ${isWaiting} order by since, t.id limit ${MOST_WAITING}`.execute(db)
  return rows.map((row) => ({ ...row, since: row.since.getTime(), queueSince: row.queueSince.getTime() }))
}

/** Locks those of the tickets that still wait; skips locked ones. */
export async function lockWaiting(db: Tx, ids: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select t.id from tickets t where t.id = any(${[...ids]}::bigint[]) and ${isWaiting}
    order by t.id for update skip locked`.execute(db)
  return rows.map(({ id }) => id)
}

/** Locks open tickets whose customers wait and whose owners have been away for `minutes` since; skips paused and locked ones. */
export async function lockAbandoned(db: Tx, now: Date, minutes: number, most: number): Promise<number[]> {
  const before = new Date(now.getTime() - minutes * 60_000)
  const { rows } = await sql<{ id: number }>`
    with away as (
      select u.id, case
        when not u.is_online or u.away_until > ${now} then coalesce(u.left_at, u.updated_at)
        when coalesce(${lastSeen} <= ${seenSince(now)}, true) then coalesce(${lastSeen} + ${UNSEEN_MS} * interval '1 ms', u.updated_at)
      end as since from users u)
    select t.id from tickets t where t.id = any(array(
      select o.id from away cross join lateral (
        select o.id from tickets o where o.tenant_id = app.tenant() and o.user_id = away.id and o.status = 'open'
          and not o.is_group and o.paused_at is null and o.waiting_since <= ${before} offset 0) o
      where away.since <= ${before} order by o.id limit ${most}))
    order by t.id for update of t skip locked`.execute(db)
  return rows.map(({ id }) => id)
}

/** Puts users who got a ticket at the end of the order of turns, in this order. */
export async function noteTurns(db: Tx, userIds: readonly number[]): Promise<void> {
  await sql`
    insert into distribution_turns (tenant_id, user_id, turn)
    select app.tenant(), g.user_id, (select coalesce(max(turn), 0) from distribution_turns) + max(g.place)
    from unnest(${[...userIds]}::bigint[]) with ordinality as g (user_id, place) group by g.user_id
    on conflict (tenant_id, user_id) do update set turn = excluded.turn`.execute(db)
}

/** Moves overflowed tickets to their new queue and records the queues that they passed. */
export async function moveWaits(
  db: Tx,
  moves: readonly { readonly ticketId: number; readonly path: readonly number[] }[],
  now: Date,
): Promise<void> {
  await sql`
    update ticket_waits w set queue_id = m."queueId", queue_since = ${now}, visited = w.visited || m.path
    from jsonb_to_recordset(${JSON.stringify(moves.map((one) => ({ ...one, queueId: one.path.at(-1) })))}::jsonb)
      as m ("ticketId" bigint, "queueId" bigint, path bigint[])
    where w.tenant_id = app.tenant() and w.ticket_id = m."ticketId"`.execute(db)
}

/** Returns the newest log entry on a ticket's assignment. */
export async function lastAssignment(db: Queryable, ticketId: number) {
  const { rows } = await sql<{ type: string; userId: number | null; data: LogData; at: Date }>`
    select type, user_id as "userId", data, created_at as at from ticket_logs
    where ticket_id = ${ticketId} and type in ('distributed', 'open', 'transfered', 'receivedTransfer', 'force', 'userDefine', 'queue', 'ownerAway', 'undo')
    order by id desc limit 1`.execute(db)
  return rows[0]
}

/** Names of colleagues and queues by id. */
export async function namesOf(db: Queryable, table: 'users' | 'queues', ids: readonly number[]) {
  const name = sql.ref(table === 'users' ? 'name' : 'queue')
  const { rows } = await sql<{ id: number; name: string }>`
    select id, ${name} as name from ${sql.table(table)} where id = any(${[...ids]}::bigint[])`.execute(db)
  return new Map(rows.map((row) => [row.id, row.name]))
}

/** Returns the tickets created between two times, with their handling time (null: none, or unfinished). */
export async function findArrivals(db: Queryable, from: Date, to: Date, withOwners: boolean, most: number) {
  const owners = withOwners
    ? sql`array(select m.user_id from contact_wallets m where m.tenant_id = t.tenant_id and m.contact_id = t.contact_id)`
    : sql`'{}'::bigint[]`
  // Live and closed tickets have an index each.
  const arrived = (status: RawBuilder<SqlBool>) => sql`
    select t.* from tickets t where ${status} and t.updated_at >= ${from} and t.created_at >= ${from} and t.created_at < ${to}`
  const { rows } = await sql<{
    id: number
    at: Date
    queueId: number | null
    connectionId: number
    owners: number[]
    tookMs: number | null
  }>`
    select t.id, t.created_at as at, t.queue_id as "queueId", t.connection_id as "connectionId", ${owners} as owners,
      (extract(epoch from t.closed_at - t.started_attendance_at) * 1000 - t.total_paused_ms)::float8 as "tookMs"
    from (${arrived(sql`t.status in ('open', 'pending')`)} union all ${arrived(sql`t.status = 'closed'`)}) t
    where not t.is_group order by t.created_at, t.id limit ${most}`.execute(db)
  return rows
}
