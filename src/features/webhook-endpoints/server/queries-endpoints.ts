import { type SqlBool, sql } from 'kysely'
import type { Queryable, Tx } from '#server/db/db.ts'
import { tableOf } from '#server/table.ts'
import { endpointTable } from '../table.ts'

const MOST_WAITING = 1000

/** Row of an endpoint with its pending deliveries; secrets are encrypted. */
export type EndpointRecord = {
  id: number
  name: string
  url: string
  isActive: boolean
  events: string[]
  connectionIds: number[]
  queueIds: number[]
  ofSettings: boolean
  /** API key that the endpoint belongs to, and the format of its payloads. */
  source: string | null
  format: string
  secret: string
  oldSecret: string | null
  oldSecretUntil: Date | null
  authorization: string | null
  afterSeq: number
  failingSince: Date | null
  failures: number
  offReason: 'gone' | 'failing' | null
  offAt: Date | null
  waiting: number
  lastDeliveredAt: Date | null
  createdAt: Date
  updatedAt: Date
}

const ofEndpoint = sql`tenant_id = webhook_endpoints.tenant_id and endpoint_id = webhook_endpoints.id`

/** Table access to endpoints. */
export const endpointRows = tableOf<EndpointRecord>(endpointTable, [
  sql`events`,
  sql`connection_ids as "connectionIds"`,
  sql`queue_ids as "queueIds"`,
  sql`of_settings as "ofSettings"`,
  sql`source`,
  sql`format`,
  sql`secret`,
  sql`old_secret as "oldSecret"`,
  sql`old_secret_until as "oldSecretUntil"`,
  sql`authorization_value as "authorization"`,
  sql`after_seq as "afterSeq"`,
  sql`failing_since as "failingSince"`,
  sql`failures`,
  sql`off_reason as "offReason"`,
  sql`off_at as "offAt"`,
  sql`(select count(*)::int from (select from webhook_deliveries d
    where d.${ofEndpoint} and d.status = 'pending' limit ${sql.lit(MOST_WAITING)}) w) as waiting`,
  sql`last_delivered_at as "lastDeliveredAt"`,
])

/** SQL filter for endpoints that users see, without those of API keys. */
export const shownRows = sql<SqlBool>`source is null`

/** Returns the active endpoints, in a stable order. */
export const listActive = async (db: Queryable): Promise<EndpointRecord[]> =>
  (await endpointRows.page(db, {}, { after: null, offset: 0, limit: 1000 })).filter(({ isActive }) => isActive)

/** Counts the endpoints. */
export async function countEndpoints(db: Queryable): Promise<number> {
  const { n } = await db
    .selectFrom('webhook_endpoints')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('source', 'is', null)
    .executeTakeFirstOrThrow()
  return n
}

/** Finds the endpoint defined by the legacy settings. */
export async function findOfSettings(db: Queryable): Promise<EndpointRecord | undefined> {
  const row = await db.selectFrom('webhook_endpoints').select('id').where('of_settings', '=', true).executeTakeFirst()
  return row && endpointRows.find(db, row.id)
}

/** Returns the position of the company's changes feed. */
export async function readLastSeq(db: Queryable): Promise<number> {
  return (await db.selectFrom('feed_heads').select('last_seq').executeTakeFirst())?.last_seq ?? 0
}

/** Creates a cursor at the present end of the company's changes feed, unless one exists. */
export async function beginCursor(db: Tx): Promise<void> {
  await sql`insert into webhook_cursors (tenant_id, last_seq)
    select app.tenant(), coalesce((select last_seq from feed_heads), 0) on conflict do nothing`.execute(db)
}

/** Locks the feed cursor until the transaction ends; skips a locked one unless `wait`. */
export const lockCursor = (db: Tx, wait: boolean) => {
  const locked = db.selectFrom('webhook_cursors').select('last_seq').forUpdate()
  return (wait ? locked : locked.skipLocked()).executeTakeFirst()
}

/** Moves the feed cursor to a number, or to the end of the feed. */
export async function moveCursor(db: Tx, seq: number | null): Promise<void> {
  await db
    .updateTable('webhook_cursors')
    .set({ last_seq: seq ?? sql`greatest(last_seq, (select last_seq from feed_heads))` })
    .execute()
}

/** Returns active companies with active endpoints or an endpoint in the legacy settings; requires platform database access. */
export async function listCompanies(db: Queryable): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select t.id from tenants t where t.status = 'active' and (
      exists (select from webhook_endpoints e where e.tenant_id = t.id and e.is_active)
      or exists (select from settings s where s.tenant_id = t.id and s.key = 'webhook' and s.value = 'enabled'))`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

/** Counts which of the given connections and queues exist. */
export async function countKnown(
  db: Queryable,
  { connectionIds, queueIds }: { connectionIds: readonly number[]; queueIds: readonly number[] },
): Promise<{ connections: number; queues: number }> {
  const { rows } = await sql<{ connections: number; queues: number }>`select
    (select count(*)::int from connections where id = any(${[...connectionIds]}::bigint[]) and not is_deleted) as connections,
    (select count(*)::int from queues where id = any(${[...queueIds]}::bigint[])) as queues`.execute(db)
  return rows[0]!
}

/** Returns the creation times of records by id, for changes that do not say whether they created the record. */
export async function createdAt(
  db: Queryable,
  table: 'contacts' | 'users' | 'connections',
  ids: readonly number[],
): Promise<Map<number, Date>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom(table)
    .select(['id', 'created_at'])
    .where('id', 'in', [...ids])
    .execute()
  return new Map(rows.map((row) => [row.id, row.created_at]))
}

/** Returns the recording times of changes by feed position. */
export async function timesOf(db: Queryable, seqs: readonly number[]): Promise<Map<number, Date>> {
  if (seqs.length === 0) return new Map()
  const rows = await db
    .selectFrom('changes')
    .select(['seq', 'at'])
    .where('seq', 'in', [...seqs])
    .execute()
  return new Map(rows.map(({ seq, at }) => [seq, at]))
}

/** Finds the endpoint of an API key in a format. */
export async function findOfSource(
  db: Queryable,
  { source, format }: { source: string; format: string },
): Promise<EndpointRecord | undefined> {
  const row = await db
    .selectFrom('webhook_endpoints')
    .select('id')
    .where('source', '=', source)
    .where('format', '=', format)
    .executeTakeFirst()
  return row && endpointRows.find(db, row.id)
}
