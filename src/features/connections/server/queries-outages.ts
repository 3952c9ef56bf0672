import { sql } from 'kysely'
import type { OutageCause } from '#domain/connections/causes.ts'
import type { ConnectionStatus } from '#domain/connections/status.ts'
import type { Queryable, Tx } from '#server/db/db.ts'

type Stand = { readonly status: ConnectionStatus; readonly cause: OutageCause | null }

/**
 * Records the beginning, cause or end of an outage. A connection that is handed over or reopened (no cause) is not out yet;
 * if it does not come back, the outage began then.
 */
export async function noteOutage(db: Tx, id: number, before: Stand, after: Stand, now: Date): Promise<void> {
  const connection = db.updateTable('connections').where('id', '=', id)
  if (after.status === 'CONNECTED') {
    if (before.status !== 'CONNECTED') await connection.set({ connected_at: now }).execute()
    await connection.set({ first_connected_at: now }).where('first_connected_at', 'is', null).execute()
    await db
      .updateTable('connection_outages')
      .set({ ended_at: now })
      .where('connection_id', '=', id)
      .where('ended_at', 'is', null)
      .execute()
    return
  }
  if (before.status === 'CONNECTED') await connection.set({ last_connected_at: now }).execute()
  if (after.cause === null) return
  await sql`insert into connection_outages (tenant_id, connection_id, cause, began_at)
    select tenant_id, id, ${after.cause}, last_connected_at from connections
    where tenant_id = app.tenant() and id = ${id} and last_connected_at is not null
    on conflict (tenant_id, connection_id) where ended_at is null do update set cause = excluded.cause`.execute(db)
}

/** Records the recovery after an outage that ended since `since`; nothing if there was none. */
export async function noteRecovery(
  db: Tx,
  id: number,
  { recovered, missing, since, now }: { recovered: number; missing: number | null; since: Date; now: Date },
): Promise<void> {
  await sql`update connection_outages set recovered = ${recovered}, missing = ${missing}, checked_at = ${now}
    where tenant_id = app.tenant() and checked_at is null and id = (
      select id from connection_outages where tenant_id = app.tenant() and connection_id = ${id} and ended_at >= ${since}
      order by id desc limit 1)`.execute(db)
}

/** Returns the outages of a connection, newest first. */
export const listOutages = (db: Queryable, id: number, { before, limit }: { before: number | null; limit: number }) =>
  db
    .selectFrom('connection_outages')
    .select(['id', 'cause', 'began_at', 'ended_at', 'recovered', 'missing', 'checked_at'])
    .where('connection_id', '=', id)
    .$if(before !== null, (query) => query.where('id', '<', before))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

/** Returns the outages of all connections that last beyond a time. */
export const outagesSince = (db: Queryable, since: Date) =>
  db
    .selectFrom('connection_outages')
    .select(['connection_id', 'cause', 'began_at', 'ended_at'])
    .where(sql<boolean>`coalesce(ended_at, 'infinity'::timestamptz) > ${since}`)
    .execute()

/** Long outage of a connection. */
export type LongOutage = {
  readonly id: number
  readonly name: string
  readonly type: string
  readonly cause: OutageCause
  readonly beganAt: Date
}

/** Whether an outage `o` of a connection `c` is reported: not ended, and neither stopped by a person nor removed. */
const isAlarming = sql`o.ended_at is null and o.cause <> 'person' and not c.is_deleted`

/** Returns companies with unreported outages that began before a moment; platform role. */
export async function findLongOutages(db: Tx, since: { notice: Date; mail: Date }): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct o.tenant_id as id from connection_outages o join tenants t on t.id = o.tenant_id and t.status = 'active'
    join connections c on c.tenant_id = o.tenant_id and c.id = o.connection_id
    where ${isAlarming} and o.mailed_at is null
      and ((o.noticed_at is null and o.began_at < ${since.notice}) or o.began_at < ${since.mail})`.execute(db)
  return rows.map(({ id }) => id)
}

/** Claims unreported outages that began before a moment, for this way of notification: each once. */
export async function claimNotices(
  db: Tx,
  column: 'noticed_at' | 'mailed_at',
  before: Date,
  now: Date,
): Promise<LongOutage[]> {
  const { rows } = await sql<LongOutage>`
    update connection_outages o set ${sql.ref(column)} = ${now} from connections c
    where o.tenant_id = app.tenant() and c.tenant_id = o.tenant_id and c.id = o.connection_id
      and ${isAlarming} and o.began_at < ${before} and ${sql.ref(`o.${column}`)} is null
    returning c.id, c.name, c.type, o.cause, o.began_at as "beganAt"`.execute(db)
  return rows
}

/** Returns the e-mail addresses of the company's administrators. */
export const findAdmins = (db: Queryable) =>
  db
    .selectFrom('users')
    .select('email')
    .where('profile', '=', 'admin')
    .where('is_active', '=', true)
    .limit(20)
    .execute()
