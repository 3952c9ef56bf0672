import { type RawBuilder, sql } from 'kysely'
import type { BusinessDay } from '#domain/calendar/business-hours.ts'
import { firstOf } from '#domain/present.ts'
import type { SlaConditions, SlaFacts, SlaReading, SlaTargets } from '#domain/sla/clocks.ts'
import { isAssisted } from '#domain/tickets/assistants.ts'
import { settingsRegistry, type TenantSettings } from '#kit/settings.ts'
import type { Queryable, Tx } from '#server/db/db.ts'
import type { TicketRecord } from '../rows/queries.ts'

/** Targets of an active policy, and the tickets that it applies to. */
export type Policy = SlaTargets & SlaConditions & { readonly id: number }

/** Takes the company's transaction lock for counting its clocks. */
export async function lockClocks(db: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(7231, app.tenant()::int)`.execute(db)
}

/**
 * Returns the companies with clocks, and whether any is due at `now`: a ticket changed, time changed a clock, or a policy
 * changed. Requires platform database access.
 */
export async function tenantsWithClocks(db: Queryable, now: Date): Promise<{ id: number; isDue: boolean }[]> {
  const setting = (key: 'businessHours' | 'holidays') =>
    sql`coalesce((select s.value from settings s where s.tenant_id = t.id and s.key = ${key}), ${settingsRegistry[key].default})`
  const hours = { week: setting('businessHours'), holidays: setting('holidays'), zone: sql`t.timezone` }
  const { rows } = await sql<{ id: number; isDue: boolean }>`
    select t.id, c.version is distinct from ${versionOf(sql`t.id`, hours)} or c.position is not null
      or exists (select from sla_changes e where e.tenant_id = t.id)
      or t.id in (select tenant_id from ticket_clocks where look_at <= ${now}) as "isDue"
    from tenants t left join sla_counted c on c.tenant_id = t.id
    where t.status = 'active'
      and (c.tenant_id is not null or exists (select from sla_policies p where p.tenant_id = t.id and p.is_active))`.execute(
    db,
  )
  return rows
}

type Hours = Readonly<Record<'week' | 'holidays' | 'zone', RawBuilder<unknown>>>

// A hash of everything that a company's clocks depend on.
const versionOf = (tenant: RawBuilder<unknown>, { week, holidays, zone }: Hours) => sql<string>`md5(jsonb_build_array(
  (select jsonb_agg(to_jsonb(p) - '{name,created_at,updated_at}'::text[] order by p.position, p.id) from sla_policies p
    where p.tenant_id = ${tenant} and p.is_active),
  (select jsonb_agg(jsonb_build_array(q.id, q.business_hours) order by q.id) from queues q
    where q.tenant_id = ${tenant} and jsonb_array_length(q.business_hours) > 0),
  ${week}::text, ${holidays}::text, ${zone}::text)::text)`

/** Returns the active policies in order, and the business hours of queues with their own. */
export async function findPromises(db: Queryable) {
  const { rows: policies } = await sql<Policy>`
    select id, queue_ids as "queueIds", connection_ids as "connectionIds", tag_ids as "tagIds", wallet_ids as "walletIds",
      first_minutes as "firstMinutes", next_minutes as "nextMinutes", solution_minutes as "solutionMinutes",
      warn_percent as "warnPercent"
    from sla_policies where is_active order by position, id`.execute(db)
  const { rows: queues } = await sql<{ id: number; week: BusinessDay[] }>`
    select id, business_hours as week from queues where jsonb_array_length(business_hours) > 0 order by id`.execute(db)
  return { policies, queues }
}

/**
 * Returns the version that the company's clocks should have, and the ticket up to which they have it (null: all); later
 * changes of other processes are counted at the next poll.
 */
export async function findCounted(
  db: Tx,
  { values: { businessHours, holidays }, timezone }: TenantSettings,
): Promise<{ version: string; before: string | null; position: number | null }> {
  const hours = { week: sql`${businessHours}`, holidays: sql`${holidays}`, zone: sql`${timezone}` }
  const { rows } = await sql<{ version: string; before: string | null; position: number | null }>`
    select v.version, c.version as before, c.position from (select ${versionOf(sql`app.tenant()`, hours)} as version) v
    left join sla_counted c on true`.execute(db)
  return firstOf(rows)
}

/** Stores the version and position up to which the clocks are counted. */
export async function saveCounted(db: Tx, version: string, position: number | null): Promise<void> {
  await sql`insert into sla_counted (tenant_id, version, position) values (app.tenant(), ${version}, ${position})
    on conflict (tenant_id) do update set version = excluded.version, position = excluded.position`.execute(db)
}

/** Change of a ticket with the facts recorded at its time; `at` in epoch ms. */
export type SlaChange = { ticketId: number; at: number; isNew: boolean; facts: SlaFacts }

/** Takes changes of tickets from the queue, in order, at most `most`. */
export async function takeChanges(db: Tx, most: number): Promise<SlaChange[]> {
  const { rows } = await sql<SlaChange>`
    with taken as (delete from sla_changes c where c.tenant_id = app.tenant() and c.id in (
      select id from sla_changes order by id limit ${most}) returning *)
    select ticket_id as "ticketId", (extract(epoch from at) * 1000)::bigint as at, is_new as "isNew", facts
    from taken order by id`.execute(db)
  return rows
}

/** Returns at most `most` tickets whose clocks may have changed by time alone. */
export async function findDue(db: Tx, now: Date, most: number): Promise<number[]> {
  return idsOf(
    db,
    sql`select ticket_id as id from ticket_clocks where look_at <= ${now} order by look_at, ticket_id limit ${most}`,
  )
}

/** Returns the next live tickets after an id. */
export const nextLive = (db: Tx, after: number, most: number): Promise<number[]> =>
  idsOf(
    db,
    sql`select id from tickets where status in ('open', 'pending') and not is_group and id > ${after} order by id limit ${most}`,
  )

/** Returns at most `most` tickets with clocks. */
export const someCounted = (db: Tx, most: number): Promise<number[]> =>
  idsOf(db, sql`select ticket_id as id from ticket_clocks order by 1 limit ${most}`)

async function idsOf(db: Tx, query: RawBuilder<unknown>): Promise<number[]> {
  const { rows } = await (query as RawBuilder<{ id: number }>).execute(db)
  return rows.map(({ id }) => id)
}

/** Returns clocks of tickets with their policy. */
export async function findClocks(db: Tx, ids: readonly number[]) {
  const rows = await db
    .selectFrom('ticket_clocks')
    .select(['ticket_id', 'policy_id', 'clocks'])
    .where(sql<boolean>`ticket_id = any(${[...ids]}::bigint[])`)
    .execute()
  return new Map(rows.map((row) => [row.ticket_id, { policyId: row.policy_id, clocks: row.clocks }]))
}

/** Clocks of a ticket to store. */
export type CountedClocks = {
  readonly ticketId: number
  readonly policyId: number | null
} & Pick<SlaReading, 'clocks' | 'lookAt'>

/** Writes clocks. */
export async function saveClocks(db: Tx, counted: readonly CountedClocks[]): Promise<void> {
  await sql`
    insert into ticket_clocks (tenant_id, ticket_id, policy_id, clocks, look_at)
    select app.tenant(), c."ticketId", c."policyId", c.clocks, to_timestamp(c."lookAt" / 1000.0)
    from jsonb_to_recordset(${JSON.stringify(counted)}::jsonb)
      as c ("ticketId" bigint, "policyId" bigint, clocks jsonb, "lookAt" double precision)
    on conflict (tenant_id, ticket_id) do update
      set policy_id = excluded.policy_id, clocks = excluded.clocks, look_at = excluded.look_at`.execute(db)
}

/** Deletes the clocks of tickets. */
export async function removeClocks(db: Tx, ids: readonly number[]): Promise<void> {
  await sql`delete from ticket_clocks where ticket_id = any(${[...ids]}::bigint[])`.execute(db)
}

/** Deletes the state of a company's counting, with the pending changes. */
export async function forgetCounting(db: Tx): Promise<void> {
  await sql`delete from sla_changes`.execute(db)
  await sql`delete from sla_counted`.execute(db)
}

/** Clock state that the row of a ticket shows. */
export type ShownClocks = { readonly ticketId: number; readonly shown: SlaReading['shown'] }

/** Writes the shown clock state of tickets, and nothing else of them. */
export async function showClocks(db: Tx, all: readonly ShownClocks[]): Promise<void> {
  const rows = all.map(({ ticketId, shown }) => ({ ticketId, ...shown }))
  await sql`
    update tickets t set sla_state = s.state, sla_clock = s.clock, sla_since = to_timestamp(s.since / 1000.0),
      sla_due_at = to_timestamp(s."dueAt" / 1000.0)
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as s ("ticketId" bigint, state text, clock text, since double precision, "dueAt" double precision)
    where t.tenant_id = app.tenant() and t.id = s."ticketId" and t.id = any(${rows.map(({ ticketId }) => ticketId)}::bigint[])`.execute(
    db,
  )
}

/** Returns the facts of a ticket that its clocks depend on. */
export const slaFactsOf = (ticket: TicketRecord): SlaFacts => ({
  isLive: ticket.status !== 'closed',
  isPaused: ticket.paused_at !== null,
  isByBot: ticket.status === 'pending' && (ticket.chat_flow_id !== null || isAssisted(ticket.assistants)),
  queueId: ticket.queue_id,
  waitingSince: ticket.waiting_since?.getTime() ?? null,
  isAnswered: ticket.answered,
})

/** Returns the active supervisors and administrators. */
export async function findLeads(db: Queryable): Promise<number[]> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('is_active', '=', true)
    .where('profile', 'in', ['super', 'admin'])
    .execute()
  return rows.map(({ id }) => id)
}
