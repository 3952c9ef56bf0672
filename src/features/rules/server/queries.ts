import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { FORWARDED } from '#domain/messages/types.ts'
import { firstOf } from '#domain/present.ts'
import type { PastLog } from '#domain/rules/past.ts'
import type { Decided, RuleEvent } from '#domain/rules/rules.ts'
import type { TicketStatus } from '#domain/tickets/facts.ts'
import type { TicketLogType } from '#domain/tickets/logs.ts'
import type { Queryable, Tx } from '#server/db/db.ts'
import { type CompanyRemoval, removed } from '#server/db/removal.ts'
import type { PageStart } from '#server/paging.ts'
import { tableOf } from '#server/table.ts'
import { ruleTable } from '../table.ts'

/** Row of a rule. */
export type RuleRecord = {
  id: number
  name: string
  event: RuleEvent
  isActive: boolean
  position: number
  match: 'all' | 'any'
  conditions: unknown
  actions: unknown
  createdAt: Date
  updatedAt: Date
}

/** Table access to rules. */
export const ruleRows = tableOf<RuleRecord>(ruleTable, [sql`conditions`, sql`actions`])

/** Returns the number of matches of rules since a time, up to 1,000, and the last one; rules without matches are missing. */
export async function matchedSince(
  db: Queryable,
  ruleIds: readonly number[],
  since: Date,
): Promise<Map<number, { matched: number; lastMatchedAt: Date }>> {
  const { rows } = await sql<{ id: number; matched: number; lastMatchedAt: Date }>`
    select u.id, l.at as "lastMatchedAt",
      (select count(*) from (select from rule_runs r where r.rule_id = u.id and r.at > ${since} order by r.id desc limit 1000) n)::int as matched
    from unnest(${[...ruleIds]}::bigint[]) u (id)
    cross join lateral (select r.at from rule_runs r where r.rule_id = u.id order by r.id desc limit 1) l`.execute(db)
  return new Map(rows.map(({ id, ...matched }) => [id, matched]))
}

/** Stores a rule's conditions and actions. */
export async function saveRule(
  db: Tx,
  id: number,
  { conditions, actions }: { conditions: unknown; actions: unknown },
): Promise<void> {
  await db
    .updateTable('rules')
    .set({ conditions: JSON.stringify(conditions), actions: JSON.stringify(actions) })
    .where('id', '=', id)
    .execute()
}

/** Returns the events that active rules react to. */
export async function activeEvents(db: Tx): Promise<RuleEvent[]> {
  const rows = await db
    .selectFrom('rules')
    .select('event')
    .distinct()
    .where('is_active', '=', true)
    .orderBy('event')
    .execute()
  return rows.map(({ event }) => event)
}

/** Returns the active rules of an event, in order. */
export async function listActive(
  db: Tx,
  event: RuleEvent,
): Promise<Pick<RuleRecord, 'id' | 'name' | 'match' | 'conditions' | 'actions'>[]> {
  return await db
    .selectFrom('rules')
    .select(['id', 'name', 'match', 'conditions', 'actions'])
    .where('event', '=', event)
    .where('is_active', '=', true)
    .orderBy('position')
    .orderBy('id')
    .execute()
}

/** Outcome of a matching rule. */
export type Outcome = 'done' | 'same' | 'refused' | 'stopped'

/** Records that a rule matched an event; null if recorded already. */
export async function insertRun(
  db: Tx,
  run: {
    ruleId: number
    eventKey: string
    ticketId: number
    outcome: Outcome
    conditions: readonly Decided[]
    now: Date
  },
): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    insert into rule_runs (tenant_id, rule_id, event_key, ticket_id, outcome, conditions, at)
    values (app.tenant(), ${run.ruleId}, ${run.eventKey}, ${run.ticketId}, ${run.outcome},
      ${JSON.stringify(run.conditions)}, ${run.now})
    on conflict (tenant_id, rule_id, event_key) do nothing returning id`.execute(db)
  return rows[0]?.id ?? null
}

/** Counts a rule's executions on a ticket since a person or the customer wrote last, up to `most`. */
export async function countDone(db: Tx, ruleId: number, ticketId: number, most: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from (
      select from rule_runs r where r.ticket_id = ${ticketId} and r.rule_id = ${ruleId} and r.outcome = 'done' and r.at >= coalesce(
        (select m.created_at from messages m where m.ticket_id = ${ticketId} and m.sync_time is null and (not m.from_me or m.user_id is not null)
          order by m.timestamp desc, m.seq desc limit 1), '-infinity')
      limit ${sql.lit(most)}) counted`.execute(db)
  return firstOf(rows).n
}

/** Stores the outcome of a run. */
export async function updateRun(
  db: Tx,
  id: number,
  { outcome, steps }: { outcome: Outcome; steps: readonly object[] },
): Promise<void> {
  await db
    .updateTable('rule_runs')
    .set({ outcome, steps: JSON.stringify(steps) })
    .where('id', '=', id)
    .execute()
}

/** Row of a rule's run. */
export type RunRecord = {
  id: number
  at: Date
  ticketId: number | null
  contactName: string
  outcome: Outcome
  conditions: unknown
  steps: unknown
}

/** Returns a page of a rule's runs, newest first; without names for tickets that the user does not see. */
export async function listRuns(
  db: Queryable,
  ruleId: number,
  { visible, start }: { visible: RawBuilder<SqlBool>; start: PageStart<[number]> },
): Promise<RunRecord[]> {
  const { after, offset, limit } = start
  const { rows } = await sql<RunRecord>`
    select r.id, r.at, r.outcome, r.conditions, r.steps, seen.id as "ticketId", coalesce(seen.name, '') as "contactName"
    from rule_runs r
    left join lateral (select tickets.id, c.name from tickets join contacts c on c.tenant_id = tickets.tenant_id and c.id = tickets.contact_id
      where tickets.tenant_id = r.tenant_id and tickets.id = r.ticket_id and ${visible}) seen on true
    where r.rule_id = ${ruleId} and ${after ? sql`r.id < ${after[0]}` : sql`true`}
    order by r.id desc limit ${limit} offset ${offset}`.execute(db)
  return rows
}

/** Counts a rule's runs, up to `most`. */
export async function countRuns(db: Queryable, ruleId: number, most: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from (select from rule_runs where rule_id = ${ruleId} limit ${most}) counted`.execute(db)
  return firstOf(rows).n
}

/** Past event of a ticket; `logs` is the number of its log lines at that time. */
export type PastEvent = { ticketId: number; at: Date; text: string }

const LOGGED: Readonly<Record<'assigned' | 'closed', { status: TicketStatus; types: readonly TicketLogType[] }>> = {
  assigned: { status: 'open', types: ['open', 'receivedTransfer', 'distributed'] },
  closed: { status: 'closed', types: ['closed', 'autoClose', 'merged'] },
}

/** Returns the newest events of a kind in tickets that the user sees, without groups, newest first. */
export async function pastEvents(
  db: Queryable,
  event: RuleEvent,
  { visible, most }: { visible: RawBuilder<SqlBool>; most: number },
): Promise<PastEvent[]> {
  const inSight = sql`not tickets.is_group and ${visible}`
  if (event === 'opened')
    return (
      await sql<PastEvent>`select tickets.id as "ticketId", tickets.created_at as at, '' as text from tickets
        where ${inSight} order by tickets.id desc limit ${most}`.execute(db)
    ).rows
  if (event === 'assigned' || event === 'closed') {
    const { status, types } = LOGGED[event]
    return (
      await sql<PastEvent>`select l.ticket_id as "ticketId", l.created_at as at, '' as text
        from ticket_logs l join tickets on tickets.tenant_id = l.tenant_id and tickets.id = l.ticket_id
        where (l.type = any(${[...types]}::text[]) or (l.data -> 'to' ->> 'status' = ${status}
          and (${status} = 'closed' or l.data -> 'to' ->> 'userId' is not null))) and ${inSight} order by l.id desc limit ${most}`.execute(
        db,
      )
    ).rows
  }
  const written =
    event === 'received'
      ? sql`not m.from_me and m.media_type <> 'undecrypted'`
      : sql`m.from_me and not m.is_note and m.schedule_date is null and m.status not in ('pending', 'canceled')
        and (m.user_id is not null or m.send_type in ('chat', ${FORWARDED}))`
  return (
    await sql<PastEvent>`select m.ticket_id as "ticketId", m.timestamp as at,
        case when m.media_type in ('text', 'interactive_reply') then m.body else '' end as text
      from messages m join tickets on tickets.tenant_id = m.tenant_id and tickets.id = m.ticket_id
      where ${written} and m.sync_time is null and not m.is_late and ${inSight} order by m.timestamp desc, m.seq desc limit ${most}`.execute(
      db,
    )
  ).rows
}

/** Returns the contact names of tickets. */
export async function contactNames(db: Queryable, ticketIds: readonly number[]): Promise<Map<number, string>> {
  const { rows } = await sql<{ id: number; name: string }>`
    select t.id, c.name from tickets t join contacts c on c.tenant_id = t.tenant_id and c.id = t.contact_id
    where t.id = any(${[...ticketIds]}::bigint[])`.execute(db)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Returns the logs of tickets, in order. */
export async function logsOf(
  db: Queryable,
  ticketIds: readonly number[],
): Promise<(Omit<PastLog, 'at'> & { ticketId: number; at: Date })[]> {
  const { rows } = await sql<Omit<PastLog, 'at'> & { ticketId: number; at: Date }>`
    select ticket_id as "ticketId", type, user_id as "userId", queue_id as "queueId", created_at as at, data -> 'to' as "to"
    from ticket_logs where ticket_id = any(${[...ticketIds]}::bigint[]) and type <> 'access' order by id`.execute(db)
  return rows
}

/** Returns the names of connections; removed ones are missing. */
export async function connectionNames(db: Queryable, ids: readonly number[]): Promise<Map<number, string>> {
  const { rows } = await sql<{ id: number; name: string }>`
    select id, name from connections where id = any(${[...ids]}::bigint[]) and not is_deleted`.execute(db)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Removes expired runs. */
export const removeRuns: CompanyRemoval = (db, before, most, tenantId) =>
  removed(
    db,
    sql`delete from rule_runs where tenant_id = ${tenantId} and id in
      (select id from rule_runs where tenant_id = ${tenantId} and at < ${before} limit ${most})`,
  )
