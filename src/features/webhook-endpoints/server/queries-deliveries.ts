import { sql } from 'kysely'
import type { Queryable, Tx } from '#server/db/db.ts'
import { type CompanyRemoval, removed } from '#server/db/removal.ts'
import type { Forgetting } from '#server/forgetting.ts'
import type { PageStart } from '#server/paging.ts'

/** Delivery to record. */
export type NewDelivery = {
  readonly id: string
  readonly endpointId: number
  readonly seq: number
  readonly type: string
  readonly body: string
  readonly contactId: number | null
}

/** Inserts deliveries, due at once; `leaseUntil` if the caller sends them itself. */
export async function insertDeliveries(
  db: Tx,
  rows: readonly NewDelivery[],
  now: Date,
  leaseUntil: Date | null = null,
): Promise<void> {
  if (rows.length === 0) return
  await sql`
    insert into webhook_deliveries
      (tenant_id, id, endpoint_id, seq, type, body, contact_id, status, due_at, lease_until, created_at)
    select app.tenant(), r.id, r."endpointId", r.seq, r.type, r.body, r."contactId", 'pending', ${now}, ${leaseUntil}, ${now}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r (id uuid, "endpointId" bigint, seq bigint, type text, body text, "contactId" bigint)`.execute(db)
}

/** Due delivery, and whether its endpoint has failed recently. */
export type Due = {
  readonly tenantId: number
  readonly endpointId: number
  readonly id: string
  readonly isFailing: boolean
}

/**
 * Returns due deliveries of active endpoints, at most `each` per endpoint, longest due first; at most `most` of failing
 * endpoints and as many of others, so that failing ones do not hide the others. Requires platform database access.
 */
export async function listDue(db: Queryable, now: Date, each: number, most: number): Promise<Due[]> {
  const { rows } = await sql<Due>`
    select "tenantId", "endpointId", id, "isFailing" from (
      select e.tenant_id as "tenantId", e.id as "endpointId", d.id, d.due_at, e.failing_since is not null as "isFailing",
        row_number() over (partition by e.failing_since is not null order by d.due_at) as place
      from webhook_endpoints e join tenants t on t.id = e.tenant_id and t.status = 'active'
      cross join lateral (select id, due_at from webhook_deliveries d
        where d.tenant_id = e.tenant_id and d.endpoint_id = e.id and d.status = 'pending' and d.due_at <= ${now}
          and (d.lease_until is null or d.lease_until <= ${now})
        order by d.due_at, d.seq limit ${each}) d
      where e.is_active) due
    where place <= ${most} order by due_at`.execute(db)
  return rows
}

/** Locks an endpoint until the transaction ends; returns false if inactive or deleted. */
export async function lockEndpoint(db: Tx, id: number): Promise<boolean> {
  const row = await db
    .selectFrom('webhook_endpoints')
    .select('id')
    .where('id', '=', id)
    .where('is_active', '=', true)
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined
}

/** Claimed delivery. */
export type Claimed = { readonly id: string; readonly endpointId: number; readonly type: string; readonly body: string }

/**
 * Claims a due delivery for a while, unless another process has it or `most` of its endpoint are in progress; its endpoint
 * must be locked before.
 */
export async function claim(
  db: Tx,
  { id, endpointId, now, until, most }: { id: string; endpointId: number; now: Date; until: Date; most: number },
): Promise<Claimed | undefined> {
  const { rows } = await sql<Claimed>`
    update webhook_deliveries set lease_until = ${until}
    where id = ${id} and endpoint_id = ${endpointId} and status = 'pending' and due_at <= ${now}
      and (lease_until is null or lease_until <= ${now})
      and (select count(*) from webhook_deliveries where endpoint_id = ${endpointId} and lease_until > ${now}) < ${most}
    returning id, endpoint_id as "endpointId", type, body`.execute(db)
  return rows[0]
}

/** Result of an attempt, as stored. */
export type Attempted = {
  readonly at: Date
  readonly httpStatus: number | null
  readonly problem: string | null
  readonly ms: number
  readonly answer: string
}

/** Returns a delivery's number of attempts, locked until the transaction ends; undefined if deleted. */
export async function lockDelivery(db: Tx, id: string): Promise<{ tries: number; endpointId: number } | undefined> {
  return db
    .selectFrom('webhook_deliveries')
    .select(['tries', 'endpoint_id as endpointId'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

/** Stores an attempt and the delivery's new state: delivered, failed, or retried at `dueAt`. */
export async function saveAttempt(
  db: Tx,
  id: string,
  tried: Attempted,
  then: { status: 'delivered' | 'failed' } | { status: 'pending'; dueAt: Date },
  now: Date,
): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set({
      status: then.status,
      tries: sql`tries + 1`,
      http_status: tried.httpStatus,
      problem: tried.problem,
      lease_until: null,
      ...(then.status === 'pending' ? { due_at: then.dueAt } : { ended_at: now }),
    })
    .where('id', '=', id)
    .execute()
  await db
    .insertInto('webhook_attempts')
    .values({
      tenant_id: sql`app.tenant()`,
      delivery_id: id,
      at: tried.at,
      http_status: tried.httpStatus,
      problem: tried.problem,
      ms: tried.ms,
      answer: tried.answer,
    })
    .execute()
}

/** Records success, or the start and count of consecutive failures, of an endpoint; returns its new state. */
export async function noteTaken(
  db: Tx,
  id: number,
  isTaken: boolean,
  now: Date,
): Promise<{ since: Date | null; failures: number; was: boolean; name: string; url: string } | undefined> {
  const { rows } = await sql<{ since: Date | null; failures: number; was: boolean; name: string; url: string }>`
    update webhook_endpoints e set
      failing_since = case when ${isTaken} then null else coalesce(e.failing_since, ${now}) end,
      failures = case when ${isTaken} then 0 else e.failures + 1 end,
      last_delivered_at = case when ${isTaken} then ${now} else e.last_delivered_at end
    from webhook_endpoints b where e.id = ${id} and b.tenant_id = e.tenant_id and b.id = e.id
    returning e.failing_since as since, e.failures, b.failing_since is not null as was, e.name, e.url`.execute(db)
  return rows[0]
}

/** Disables an endpoint and ends its pending deliveries, which can be resent by hand. Returns whether it was active. */
export async function switchOff(db: Tx, id: number, reason: 'gone' | 'failing', now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('webhook_endpoints')
    .set({ is_active: false, off_reason: reason, off_at: now })
    .where('id', '=', id)
    .where('is_active', '=', true)
    .executeTakeFirst()
  await endWaiting(db, id, now)
  return numUpdatedRows > 0n
}

/** Ends the pending deliveries of an inactive endpoint. */
export async function endWaiting(db: Tx, id: number, now: Date): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set({ status: 'failed', problem: 'off', ended_at: now, lease_until: null })
    .where('endpoint_id', '=', id)
    .where('status', '=', 'pending')
    .execute()
}

const columns = [
  'id',
  'type',
  'seq',
  'status',
  'tries',
  'http_status',
  'problem',
  'due_at',
  'lease_until',
  'created_at',
  'ended_at',
] as const

/** Returns a page of an endpoint's deliveries, newest first; `after` is the last (µs, id) of the previous page. */
export async function pageOfDeliveries(
  db: Queryable,
  endpointId: number,
  wanted: {
    status?: 'pending' | 'delivered' | 'failed' | undefined
    from?: number | undefined
    to?: number | undefined
  },
  { after, offset, limit }: PageStart<[number, string]>,
) {
  const µs = sql<number>`(extract(epoch from created_at) * 1000000)::bigint`
  return db
    .selectFrom('webhook_deliveries')
    .select(columns)
    .select(µs.as('place'))
    .where('endpoint_id', '=', endpointId)
    .$if(wanted.status !== undefined, (q) => q.where('status', '=', wanted.status!))
    .$if(wanted.from !== undefined, (q) => q.where('created_at', '>=', new Date(wanted.from!)))
    .$if(wanted.to !== undefined, (q) => q.where('created_at', '<', new Date(wanted.to!)))
    .$if(after !== null, (q) =>
      q.where(
        sql<boolean>`(created_at, id) < (timestamptz 'epoch' + ${after![0]}::bigint * interval '1 microsecond', ${after![1]}::uuid)`,
      ),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute()
}

/** Finds a delivery with its payload. */
export const findDelivery = (db: Queryable, id: string) =>
  db
    .selectFrom('webhook_deliveries')
    .select([...columns, 'endpoint_id', 'body'])
    .where('id', '=', id)
    .executeTakeFirst()

/** Row of a delivery. */
export type DeliveryRecord = Omit<NonNullable<Awaited<ReturnType<typeof findDelivery>>>, 'endpoint_id' | 'body'>

/** Returns the last hundred attempts of a delivery, in order. */
export async function listAttempts(db: Queryable, id: string) {
  const rows = await db
    .selectFrom('webhook_attempts')
    .select(['at', 'http_status', 'problem', 'ms', 'answer'])
    .where('delivery_id', '=', id)
    .orderBy('id', 'desc')
    .limit(100)
    .execute()
  return rows.reverse()
}

/** Resets a delivery with all attempts, unless it is in progress. */
export async function renew(db: Tx, id: string, now: Date): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set({ status: 'pending', tries: 0, due_at: now, ended_at: null })
    .where('id', '=', id)
    .where((w) => w.or([w('lease_until', 'is', null), w('lease_until', '<=', now)]))
    .execute()
}

/** Resets an endpoint's deliveries of a period; returns their number. */
export async function renewAll(
  db: Tx,
  endpointId: number,
  { from, to, which }: { from: Date; to: Date; which: 'failed' | 'all' },
  now: Date,
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('webhook_deliveries')
    .set({ status: 'pending', tries: 0, due_at: now, ended_at: null })
    .where('endpoint_id', '=', endpointId)
    .where('created_at', '>=', from)
    .where('created_at', '<', to)
    .where('status', 'in', which === 'failed' ? ['failed'] : ['failed', 'delivered'])
    .where('type', '<>', 'endpoint.test')
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Deletes sent and pending deliveries about a forgotten person; the caller has read the feed to its end. */
export const forgetDeliveries: Forgetting = async ({ db }, { contactIds, identifiers }) => {
  await sql`delete from webhook_deliveries where contact_id = any(${[...contactIds]}::bigint[])
    or exists (select from unnest(${[...identifiers]}::text[]) one where length(one) > 5 and position(one in body) > 0)`.execute(
    db,
  )
}

/** Removes expired deliveries; pending ones remain. */
export const removeDeliveries: CompanyRemoval = (db, before, most, tenantId) =>
  removed(
    db,
    sql`delete from webhook_deliveries where tenant_id = ${tenantId} and id in (
      select id from webhook_deliveries where tenant_id = ${tenantId} and created_at < ${before} and status <> 'pending'
      order by created_at limit ${most})`,
  )

/** Returns the names of the keys that encrypt endpoints' secrets; requires platform database access. */
export async function keysOfEndpoints(db: Tx): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select distinct split_part(value, '.', 1) as key from webhook_endpoints,
      unnest(array[secret, old_secret, authorization_value]) value where value is not null`.execute(db)
  return rows.map(({ key }) => key)
}
