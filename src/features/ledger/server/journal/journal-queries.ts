import { CompiledQuery, sql } from 'kysely'
import { firstOf, present } from '#domain/present.ts'
import type { ProviderEvent } from '#providers/channels/port.ts'
import { type Database, type Queryable, type Tx, transactionTime } from '#server/db/db.ts'
import { type CompanyRemoval, removed } from '#server/db/removal.ts'
import { uuidv7 } from '#server/ids.ts'
import { sanitizeForPostgres } from '#server/sanitize.ts'
import type { IngestConnection } from '../ticket/queries.ts'

/** Event to append to the journal. */
export type JournalRow = { id: string; connectionId: number; dedupeKey: string; payload: ProviderEvent }

/** Event waiting to be processed. */
export type JournalEntry = { id: string; connection_id: number; payload: ProviderEvent; received_at: Date }

/** Waiting event with its position. */
type WaitingEntry = JournalEntry & {
  seq: number
  /** Whether one more death of a process with this event as its only work sets it aside. */
  is_last_chance: boolean
}

/** Event taken for processing, with the settings of its connection (`connection_id`) that determine it. */
export type TakenEntry = JournalEntry &
  Pick<IngestConnection, 'type' | 'queue_id' | 'user_id'> & {
    readonly is_removed: boolean
    /** Sequence number of the event's message among all messages; null for other events. */
    readonly message_seq: number | null
  }

/** Appends events as received at `now`, and skips existing ones. One statement, committed when it returns. */
export async function appendJournal(
  db: Database,
  tenantId: number,
  rows: readonly JournalRow[],
  now: Date,
): Promise<void> {
  await db.prepared(tenantId, 'journal_append', APPEND, [tenantId, JSON.stringify(rows), now])
}

/** Appends events within a transaction, received now; returns the number of new ones. */
export async function appendWithin(db: Tx, tenantId: number, rows: readonly JournalRow[]): Promise<number> {
  const { numAffectedRows } = await db.executeQuery(
    CompiledQuery.raw(APPEND, [tenantId, JSON.stringify(rows), transactionTime(db)]),
  )
  return Number(numAffectedRows)
}

/** Whether any of these events of a connection is still unprocessed. */
export async function anyWaiting(db: Queryable, connectionId: number, keys: readonly string[]): Promise<boolean> {
  const { rows } = await sql`select from journal
    where tenant_id = app.tenant() and connection_id = ${connectionId} and dedupe_key = any(${[...keys]}::text[])
      and processed_at is null limit 1`.execute(db)
  return rows.length > 0
}

// In the given order, whatever the query plan: each conversation is processed in the order of `seq`.
const APPEND = `insert into journal (tenant_id, id, connection_id, dedupe_key, payload, received_at, receipt_for)
  select $1::bigint, e.id, e."connectionId", e."dedupeKey", e.payload, $3::timestamptz,
    case when e.payload ->> 'type' <> 'message' then coalesce(e.payload ->> 'providerId', e.payload -> 'message' ->> 'providerId') end
  from rows from (jsonb_to_recordset($2::jsonb) as (id uuid, "connectionId" bigint, "dedupeKey" text, payload jsonb)) with ordinality as e
  where not exists (select from journal_processed p
    where p.tenant_id = $1 and p.connection_id = e."connectionId" and p.dedupe_key = e."dedupeKey" offset 0)
  order by e.ordinality
  on conflict on constraint journal_dedupe do nothing`

/** Counts unprocessed events, up to `most`. */
export async function countWaiting(db: Database, tenantId: number, most: number): Promise<number> {
  const [row] = await db.prepared<{ n: number }>(
    tenantId,
    'journal_waiting',
    'select count(*)::int as n from (select from journal where tenant_id = $1 and processed_at is null limit $2) waiting',
    [tenantId, most],
  )
  return present(row).n
}

/**
 * Returns the tenants with unprocessed events, and the position up to which a batch takes them; requires platform database
 * access, at start and for recovery.
 */
export async function tenantsWithWaiting(db: Tx, batch: number): Promise<{ tenantId: number; upTo: number }[]> {
  const { rows } = await sql<{ tenantId: number; upTo: number }>`
    select t.id as "tenantId", oldest."upTo" from tenants t cross join lateral (
      select max(seq) as "upTo" from (select seq from journal j where j.tenant_id = t.id and j.processed_at is null
        order by seq limit ${sql.lit(batch)}) first) oldest where oldest."upTo" is not null`.execute(db)
  return rows
}

/**
 * Moves the oldest unprocessed events to the processed ones, in order of arrival, effective with the commit. A repeated
 * event is dropped here, and counted in `taken`. Takes the tenant's writer lock; null while another process has it. It may
 * be pipelined with `begin`: outside of a transaction it takes nothing.
 */
export async function takeEntries(
  db: Tx,
  tenantId: number,
  limit: number,
  only?: string,
): Promise<{ entries: TakenEntry[]; taken: number } | null> {
  // `processed_at is null` is repeated, so that events taken by another writer since the statement began are not taken
  // again. The ids are a list, so that each is found by key, however large the table.
  const { rows } = await sql<(TakenEntry | { id: null }) & { ok: boolean; taken: number }>`
    with writer as materialized (
      select current_setting('app.now', true) <> '' and pg_try_advisory_xact_lock(7204, ${tenantId}::int) as ok
    ),
    next as materialized (
      select journal.id from journal, writer where writer.ok and processed_at is null
        ${only === undefined ? sql`` : sql`and journal.id = ${only}::uuid`} order by seq limit ${sql.lit(limit)}
    ),
    taken as (
      delete from journal j
      where j.tenant_id = app.tenant() and j.id = any(array(select id from next)) and j.processed_at is null
      returning j.tenant_id, j.id, j.seq, j.connection_id, j.dedupe_key, j.payload, j.received_at, j.receipt_for
    ),
    kept as (
      insert into journal_processed (tenant_id, id, seq, connection_id, dedupe_key, payload, received_at, receipt_for)
      select * from taken on conflict do nothing returning id, seq, connection_id, payload, received_at
    )
    select writer.ok, (select count(*)::int from taken) as taken, kept.*, c.type, c.queue_id, c.user_id, c.is_deleted as is_removed,
      case when kept.payload ->> 'type' in ('message', 'echo') then nextval('messages_seq_seq') end as message_seq from writer left join
    (kept join connections c on c.tenant_id = app.tenant() and c.id = kept.connection_id) on true order by seq`.execute(
    db,
  )
  const { ok, taken } = firstOf(rows)
  return ok ? { entries: rows.filter((row) => row.id !== null), taken } : null
}

/**
 * Records messages and takes them in one statement, skipping the waiting list: returns the new ones in order. The key
 * is stored in its column only. Null, with nothing recorded, while another process is the tenant's writer or anything
 * waits. Like `takeEntries` it may be pipelined with `begin`.
 */
export async function recordEntries(
  db: Tx,
  tenantId: number,
  rows: readonly JournalRow[],
): Promise<TakenEntry[] | null> {
  const { rows: recorded } = await sql<
    Omit<TakenEntry, keyof JournalEntry> & { id: string | null; received_at: Date; ok: boolean }
  >`
    with writer as materialized (
      select current_setting('app.now', true) <> '' and pg_try_advisory_xact_lock(7204, ${tenantId}::int)
        and not exists (select from journal where tenant_id = app.tenant() and processed_at is null) as ok
    ),
    kept as (
      insert into journal_processed (tenant_id, id, seq, connection_id, dedupe_key, payload, received_at)
      select app.tenant(), e.id, nextval('journal_seq_seq'), e."connectionId", e."dedupeKey", e.payload - 'dedupeKey', app.now()
      from writer, rows from (jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as (id uuid, "connectionId" bigint, "dedupeKey" text, payload jsonb)) with ordinality as e
      where writer.ok and not exists (select from journal j
        where j.tenant_id = app.tenant() and j.connection_id = e."connectionId" and j.dedupe_key = e."dedupeKey" offset 0)
      order by e.ordinality on conflict do nothing returning id, seq, connection_id, received_at
    )
    select writer.ok, kept.id, kept.received_at, c.type, c.queue_id, c.user_id, c.is_deleted as is_removed, nextval('messages_seq_seq') as message_seq
    from writer left join
    (kept join connections c on c.tenant_id = app.tenant() and c.id = kept.connection_id) on true order by kept.seq`.execute(
    db,
  )
  if (!firstOf(recorded).ok) return null
  const byId = new Map(rows.map((row) => [row.id, row]))
  return recorded.flatMap(({ ok, id, ...entry }) => {
    const row = id === null ? undefined : byId.get(id)
    return row ? [{ ...entry, id: row.id, connection_id: row.connectionId, payload: row.payload }] : []
  })
}

/** Number of processes that may die with an event as their only work before it is set aside. */
const MOST_DEATHS = 3

/** Returns the oldest unprocessed events in order of arrival, without taking them. */
export async function nextEntries(db: Tx, limit: number): Promise<WaitingEntry[]> {
  const rows = await db
    .selectFrom('journal')
    .select(['id', 'seq', 'connection_id', 'payload', 'received_at'])
    .select(sql<boolean>`deaths >= ${sql.lit(MOST_DEATHS - 1)}`.as('is_last_chance'))
    .where('processed_at', 'is', null)
    .orderBy('seq')
    .limit(limit)
    .execute()
  return rows as WaitingEntry[]
}

/** Maximum number of failures of an event by itself before it is set aside. */
const MOST_FAILURES = 3

/** Counts a failure of an event that was tried alone; after three it is set aside, so that later events continue. */
export async function countFailure(
  db: Tx,
  id: string,
  { code, reason, now }: { code: string; reason: string; now: Date },
): Promise<boolean> {
  const asideAt = sql`case when attempts + 1 >= ${sql.lit(MOST_FAILURES)} then ${now}::timestamptz end`
  const { rows } = await sql<{ aside: boolean }>`update journal set attempts = attempts + 1, deaths = 0,
    error = ${sanitizeForPostgres(reason).slice(0, 500)}, error_code = ${sanitizeForPostgres(code).slice(0, 100)},
    processed_at = ${asideAt}, set_aside_at = ${asideAt}
    where id = ${id}::uuid and processed_at is null returning set_aside_at is not null as aside`.execute(db)
  return rows[0]?.aside ?? true
}

const DIED = 'O processo terminou três vezes enquanto trabalhava só neste evento.'

/**
 * Counts that an event is about to be the only work of this process, in case the process dies of it; after three such deaths
 * sets it aside instead and returns true.
 */
export async function countBeginning(db: Tx, id: string, now: Date): Promise<boolean> {
  const isDeadly = sql`deaths >= ${sql.lit(MOST_DEATHS)}`
  const { rows } = await sql<{ aside: boolean }>`update journal set
      deaths = case when ${isDeadly} then deaths else deaths + 1 end,
      error = case when ${isDeadly} then ${DIED} else error end,
      error_code = case when ${isDeadly} then 'ERR_PROCESS_DIED' else error_code end,
      processed_at = case when ${isDeadly} then ${now}::timestamptz end,
      set_aside_at = case when ${isDeadly} then ${now}::timestamptz end
    where id = ${id}::uuid and processed_at is null returning set_aside_at is not null as aside`.execute(db)
  return rows[0]?.aside ?? false
}

/** Reverts `countBeginning`: the process survived, and the event waits. */
export async function takeBackBeginning(db: Tx, id: string): Promise<void> {
  await sql`update journal set deaths = deaths - 1 where id = ${id}::uuid and deaths > 0 and processed_at is null`.execute(
    db,
  )
}

/** Removes old processed events in order of time. Later repeats are recognised by the message's own id. */
export const removeProcessed: CompanyRemoval = (db, before, most, tenantId) =>
  removed(
    db,
    sql`delete from journal_processed where tenant_id = ${tenantId} and id in (
      select id from journal_processed where tenant_id = ${tenantId} and id < ${uuidv7(before.getTime())}::uuid and processed_at < ${before} order by id limit ${most})`,
  )

/** Removes old events that an earlier release processed in place, except those set aside. */
export const removeJournal: CompanyRemoval = (db, before, most, tenantId) =>
  removed(
    db,
    sql`delete from journal where tenant_id = ${tenantId} and id in (
      select id from journal where tenant_id = ${tenantId} and id < ${uuidv7(before.getTime())}::uuid and processed_at < ${before} and set_aside_at is null order by id limit ${most})`,
  )

/** Resets events to waiting, in their old position; returns their number. */
export async function releaseEvents(db: Tx, ids: readonly string[] | undefined, most: number): Promise<number> {
  const chosen = ids ? sql`and id = any(${[...ids]}::uuid[])` : sql``
  const { rows } = await sql`update journal set processed_at = null, set_aside_at = null, attempts = 0
    where set_aside_at is not null and id in (
      select id from journal where set_aside_at is not null ${chosen} order by seq limit ${sql.lit(most)})
    returning id`.execute(db)
  return rows.length
}
