import { sql } from 'kysely'
import type { NumberState, NumberStateChange, NumberStatePart } from '#domain/connections/number-state.ts'
import { channelConfigs } from '#providers/channels/configs.ts'
import type { ProviderNumber } from '#providers/channels/port.ts'
import type { Queryable, Tx } from '#server/db/db.ts'

/** Row of a connection with the last known state of its number. */
export type NumberRecord = {
  readonly connectionId: number
  readonly name: string
  readonly type: string
  readonly status: string
  readonly state: ProviderNumber | null
  readonly readAt: Date | null
}

const records = (db: Queryable) =>
  db
    .selectFrom('connections as c')
    .leftJoin('number_states as s', (join) =>
      join.onRef('s.tenant_id', '=', 'c.tenant_id').onRef('s.connection_id', '=', 'c.id'),
    )
    .select(['c.id as connectionId', 'c.name', 'c.type', 'c.status', 's.state', 's.read_at as readAt'])
    .where('c.is_deleted', '=', false)

/** Returns the connections of some types, by name. */
export async function listNumbers(db: Queryable, types: readonly string[]): Promise<NumberRecord[]> {
  const rows = await records(db)
    .where('c.type', 'in', [...types])
    .orderBy('c.name')
    .orderBy('c.id')
    .execute()
  return rows as unknown as NumberRecord[]
}

/** Finds one connection. */
export async function findNumber(db: Queryable, id: number): Promise<NumberRecord | undefined> {
  return (await records(db).where('c.id', '=', id).executeTakeFirst()) as NumberRecord | undefined
}

// Serializes concurrent changes of one number.
const lockConnection = (db: Tx, id: number) =>
  sql`select from connections where tenant_id = app.tenant() and id = ${id} for no key update`.execute(db)

/** Stores a number's state; returns the previous one, null if there was none. Concurrent readings of a number are serialized. */
export async function saveState(
  db: Tx,
  connectionId: number,
  state: ProviderNumber,
  now: Date,
): Promise<NumberState | null> {
  await lockConnection(db, connectionId)
  const before = await db
    .selectFrom('number_states')
    .select('state')
    .where('connection_id', '=', connectionId)
    .executeTakeFirst()
  const values = { business: state.business, state: JSON.stringify(state), read_at: now }
  await db
    .insertInto('number_states')
    .values({ tenant_id: sql<number>`app.tenant()`, connection_id: connectionId, ...values })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'connection_id']).doUpdateSet(values))
    .execute()
  return before?.state ?? null
}

/** Stores changes of a number; returns the new ones. A missing payment is stored once a day. */
export async function noteChanges(
  db: Tx,
  connectionId: number,
  changes: readonly NumberStateChange[],
  at: Date,
): Promise<NumberStateChange[]> {
  await lockConnection(db, connectionId)
  const { rows } = await sql<NumberStateChange>`
    insert into number_changes (tenant_id, connection_id, what, before, after, at)
    select app.tenant(), ${connectionId}, c.what, c.before, c.after, ${at}
    from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) as c (what text, before text, after text)
    where c.what <> 'payment' or not exists (select from number_changes o where o.tenant_id = app.tenant()
      and o.connection_id = ${connectionId} and o.what = 'payment' and abs(extract(epoch from o.at - ${at}::timestamptz)) < 86400)
    on conflict do nothing returning what, before, after`.execute(db)
  return rows
}

/** Row of a change. */
export type ChangeRecord = NumberStateChange & {
  readonly id: number
  readonly at: Date
  readonly what: NumberStatePart
}

/** Returns a page of a number's changes, newest first, with one row more than the page. */
export async function listChanges(
  db: Queryable,
  connectionId: number,
  { before, limit }: { before: number | null; limit: number },
): Promise<ChangeRecord[]> {
  const rows = await db
    .selectFrom('number_changes')
    .select(['id', 'what', 'before', 'after', 'at'])
    .where('connection_id', '=', connectionId)
    .$if(before !== null, (query) => query.where('id', '<', before))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows
}

// Field with a number's account, by type; it may have changed since the state was read.
const FIELDS = Object.fromEntries(
  channelConfigs.flatMap(({ types, businessField }) => types.map(({ type }) => [type, businessField])),
)

/** Finds the connections of a number: by the provider's account id, and the number's digits or provider id. */
export async function connectionsOf(
  db: Tx,
  { business, number, owner }: { business: string; number: string | null; owner: number | null },
): Promise<{ tenantId: number; connectionId: number }[]> {
  const { rows } = await sql<{ tenantId: number; connectionId: number }>`
    select s.tenant_id as "tenantId", s.connection_id as "connectionId" from number_states s
    join connections c on c.tenant_id = s.tenant_id and c.id = s.connection_id and not c.is_deleted
    where s.business = ${business} and (${owner}::bigint is null or s.tenant_id = ${owner})
      and c.config ->> (${JSON.stringify(FIELDS)}::jsonb ->> c.type) = s.business
      and (${number}::text is null or c.account = ${number} or regexp_replace(s.state ->> 'shownNumber', '\\D', '', 'g') = ${number})`.execute(
    db,
  )
  return rows
}

/** Returns connected numbers last read before a time; requires platform database access. */
export async function findOldStates(db: Tx, before: Date): Promise<{ tenantId: number; connectionId: number }[]> {
  const { rows } = await sql<{ tenantId: number; connectionId: number }>`
    select s.tenant_id as "tenantId", s.connection_id as "connectionId" from number_states s
    join connections c on c.tenant_id = s.tenant_id and c.id = s.connection_id and c.status = 'CONNECTED' and not c.is_deleted
    join tenants t on t.id = s.tenant_id and t.status = 'active' where s.read_at < ${before}`.execute(db)
  return rows
}
