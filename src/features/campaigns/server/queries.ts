import { type Insertable, sql } from 'kysely'
import type { DB } from '#db/types.ts'
import type { SendingHours } from '#domain/campaigns/hours.ts'
import type { DispatchCounts, DispatchStatus } from '#domain/campaigns/states.ts'
import type { Queryable, Tx } from '#server/db/db.ts'

/** Text of a dispatch, with its weight among the others. */
export type DispatchText = { readonly body: string; readonly weight: number }
/** Template that is sent in place of texts. */
export type DispatchTemplate = {
  readonly name: string
  readonly language: string
  readonly values: Readonly<Record<string, string>>
}

/** Follow-up to recipients without an answer, in days after the end. */
export type FollowUp = {
  readonly days: number
  readonly message: string
  readonly template: DispatchTemplate | null
}

/** Selection of recipients: by a filter of contacts, or one by one. */
export type Chosen = { readonly filter: Record<string, unknown> } | { readonly contacts: readonly number[] }

/** Dispatch with the data that the engine needs. */
export type DispatchPlan = SendingHours & {
  readonly id: number
  readonly kind: string
  readonly name: string
  readonly status: DispatchStatus
  readonly startAt: Date
  readonly delay: number
  /** Random variation of the interval in seconds; null: default. */
  readonly delaySpread: number | null
  readonly messages: readonly DispatchText[]
  readonly template: DispatchTemplate | null
  readonly fileId: string | null
  readonly fileMime: string | null
  readonly purpose: 'marketing' | 'utility'
  readonly perWeek: number | null
  readonly skipsOpen: boolean
  readonly replyQueueId: number | null
  readonly replyTagId: number | null
  readonly replyFlowId: number | null
  /** Whether the conversations that it writes in are closed. */
  readonly closesTickets: boolean
  readonly waitsUntil: Date | null
  readonly turnedAt: Date | null
}

/** Dispatch as it is shown: with author, connection and counts. */
export type DispatchRecord = DispatchPlan & {
  readonly connectionId: number | null
  readonly connectionName: string | null
  readonly connectionType: string | null
  readonly fileName: string | null
  readonly pauseReason: string
  readonly audience: readonly Chosen[]
  readonly recurrence: string | null
  readonly repeatsFrom: Date | null
  readonly previousId: number | null
  readonly parentId: number | null
  readonly awaitsStart: boolean
  readonly followUp: FollowUp | null
  readonly followsUp: boolean
  readonly userId: number | null
  readonly userName: string | null
  readonly counts: Partial<DispatchCounts>
  readonly startedAt: Date | null
  readonly finishedAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** Columns of a `DispatchPlan`, of table `d`. */
export const planColumns = sql`d.id, d.kind, d.name, d.status, d.start_at as "startAt", d.delay, d.delay_spread as "delaySpread", d.messages, d.template, d.file_id as "fileId",
  (select f.mime from files f where f.tenant_id = d.tenant_id and f.id = d.file_id) as "fileMime",
  d.window_start as "windowStart", d.window_end as "windowEnd", d.weekdays, d.skips_holidays as "skipsHolidays", d.purpose,
  d.per_week as "perWeek", d.skips_open as "skipsOpen", d.reply_queue_id as "replyQueueId", d.reply_tag_id as "replyTagId",
  d.reply_flow_id as "replyFlowId", d.closes_tickets as "closesTickets", d.waits_until as "waitsUntil", d.turned_at as "turnedAt"`

const countsOf = sql`(select coalesce(jsonb_object_agg(counter, n), '{}') from (
  select counter, sum(n)::int as n from (
    select key as counter, value::int as n from jsonb_each_text(d.counts)
    union all select t.counter, t.amount from dispatch_ticks t where t.tenant_id = d.tenant_id and t.dispatch_id = d.id) ticked
  group by counter) summed)`

const records = sql`select ${planColumns}, d.connection_id as "connectionId", c.name as "connectionName", c.type as "connectionType",
    (select f.name from files f where f.tenant_id = d.tenant_id and f.id = d.file_id) as "fileName", d.pause_reason as "pauseReason",
    d.audience, d.recurrence, d.repeats_from as "repeatsFrom", d.previous_id as "previousId", d.parent_id as "parentId",
    d.awaits_start as "awaitsStart", d.follow_up as "followUp", d.follows_up as "followsUp",
    d.user_id as "userId", u.name as "userName", ${countsOf} as counts, d.started_at as "startedAt", d.finished_at as "finishedAt",
    d.created_at as "createdAt", d.updated_at as "updatedAt"
  from dispatches d left join connections c on c.tenant_id = d.tenant_id and c.id = d.connection_id
  left join users u on u.tenant_id = d.tenant_id and u.id = d.user_id`

/** Kinds of dispatches to include. */
export type Kinds = readonly string[]

/** Returns one dispatch of some kinds. */
export async function findDispatch(db: Queryable, id: number, kinds: Kinds): Promise<DispatchRecord | undefined> {
  const { rows } = await sql<DispatchRecord>`${records}
    where d.tenant_id = app.tenant() and d.id = ${id} and d.kind = any(${[...kinds]}::text[])`.execute(db)
  return rows[0]
}

/** Filter of dispatches. */
export type Listed = {
  readonly kind: string
  readonly statuses: readonly string[] | null
  readonly search: string | null
}

const listed = ({ kind, statuses, search }: Listed) => sql`d.tenant_id = app.tenant() and d.kind = ${kind}
  and (${statuses === null} or d.status = any(${[...(statuses ?? [])]}::text[]))
  and (${search}::text is null or app.fold(d.name) like app.fold(${search}::text))`

/** Returns a page of dispatches, newest first; `after`: last id of the page before. */
export async function listDispatches(
  db: Queryable,
  which: Listed,
  { after, offset, limit }: { after: readonly [number] | null; offset: number; limit: number },
): Promise<DispatchRecord[]> {
  const { rows } = await sql<DispatchRecord>`${records} where ${listed(which)}
    and (${after?.[0] ?? null}::bigint is null or d.id < ${after?.[0] ?? null})
    order by d.id desc limit ${limit} offset ${offset}`.execute(db)
  return rows
}

/** Counts dispatches by a filter, up to `most`. */
export async function countDispatches(db: Queryable, which: Listed, most: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from (select from dispatches d where ${listed(which)} limit ${most}) counted`.execute(db)
  return rows[0]!.n
}

/** Locks a dispatch without blocking the counting for it; returns its status. */
export async function lockDispatch(db: Tx, id: number, kinds: Kinds): Promise<DispatchStatus | undefined> {
  const { rows } = await sql<{ status: DispatchStatus }>`
    select status from dispatches where tenant_id = app.tenant() and id = ${id} and kind = any(${[...kinds]}::text[]) for no key update`.execute(
    db,
  )
  return rows[0]?.status
}

type Stored = Omit<Insertable<DB['dispatches']>, 'tenant_id' | 'created_at' | 'updated_at'>

/** Stores a dispatch; returns its id. */
export async function insertDispatch(db: Tx, values: Stored, now: Date): Promise<number> {
  const { id } = await db
    .insertInto('dispatches')
    .values({ tenant_id: sql<number>`app.tenant()`, ...values, created_at: now, updated_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Stores a unique dispatch (next occurrence, follow-up, or given `idFront`); returns its id if it is new. */
export async function insertOnce(db: Tx, values: Stored, now: Date): Promise<number | undefined> {
  const made = await db
    .insertInto('dispatches')
    .values({ tenant_id: sql<number>`app.tenant()`, ...values, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return made?.id
}

/** Returns the dispatch created under the caller's own id; undefined without one. */
export async function findByIdFront(db: Queryable, idFront: string): Promise<number | undefined> {
  const row = await db.selectFrom('dispatches').select('id').where('id_front', '=', idFront).executeTakeFirst()
  return row?.id
}

/** Returns the dispatches whose start is to be prepared until a time; requires platform database access. */
export async function dispatchesToOpen(db: Queryable, until: Date): Promise<{ tenantId: number; id: number }[]> {
  const { rows } = await sql<{ tenantId: number; id: number }>`
    select tenant_id as "tenantId", id from dispatches
    where awaits_start and status in ('scheduled', 'processing', 'finished') and start_at <= ${until}`.execute(db)
  return rows
}

/** Changes a dispatch. */
export async function updateDispatch(db: Tx, id: number, values: Partial<Stored>, now: Date): Promise<void> {
  await db
    .updateTable('dispatches')
    .set({ ...values, updated_at: now })
    .where('id', '=', id)
    .execute()
}

/** Removes a dispatch with its recipients. */
export async function removeDispatch(db: Tx, id: number): Promise<void> {
  await db.deleteFrom('dispatches').where('id', '=', id).execute()
}

/** Returns the companies with pending counts; requires platform database access. */
export async function tenantsWithTicks(db: Queryable): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select distinct tenant_id as id from dispatch_ticks`.execute(db)
  return rows.map(({ id }) => id)
}

/** Maximum number of counts that are summed up at once. */
const MOST_TICKS = 10_000

/** Sums up the pending counts, except those locked by another process; returns the ids of their dispatches. */
export async function addUp(db: Tx): Promise<number[]> {
  const { rows: ticked } = await sql<{ id: number; dispatchId: number }>`
    select id, dispatch_id as "dispatchId" from dispatch_ticks where tenant_id = app.tenant()
    order by id limit ${MOST_TICKS} for update skip locked`.execute(db)
  if (ticked.length === 0) return []
  const dispatchIds = [...new Set(ticked.map(({ dispatchId }) => dispatchId))]
  await sql`select from dispatches where tenant_id = app.tenant() and id = any(${dispatchIds}::bigint[])
    order by id for no key update`.execute(db)
  await sql`
    with gone as (
      delete from dispatch_ticks where tenant_id = app.tenant() and id = any(${ticked.map(({ id }) => id)}::bigint[])
      returning dispatch_id, counter, amount)
    update dispatches d set counts = (
      select coalesce(jsonb_object_agg(counter, n), '{}') from (
        select counter, sum(n)::int as n from (
          select key as counter, value::int as n from jsonb_each_text(d.counts)
          union all select g.counter, g.amount from gone g where g.dispatch_id = d.id) ticked
        group by counter) summed)
    where d.tenant_id = app.tenant() and d.id = any(${dispatchIds}::bigint[])`.execute(db)
  return dispatchIds
}

/** Finishes those of the dispatches without any recipient left to write to; returns their ids. */
export async function finishDone(db: Tx, ids: readonly number[], now: Date): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    update dispatches d set status = 'finished', finished_at = ${now}, updated_at = ${now}, waits_until = null
    where d.tenant_id = app.tenant() and d.id = any(${[...ids]}::bigint[]) and d.status in ('scheduled', 'processing', 'paused')
      and d.started_at is not null and not exists (
        select from dispatch_items i where i.tenant_id = d.tenant_id and i.dispatch_id = d.id
          and (i.state = 'waiting' or (i.state = 'queued' and exists (select from messages m
            where m.tenant_id = i.tenant_id and m.id = i.message_id and m.status in ('pending', 'queued')))))
    returning d.id`.execute(db)
  return rows.map(({ id }) => id)
}
