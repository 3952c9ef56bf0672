import { sql } from 'kysely'
import type { OutageCause } from '#domain/connections/causes.ts'
import type { ConnectionStatus } from '#domain/connections/status.ts'
import type { Queryable, Tx } from '#server/db/db.ts'

type Stand = { readonly status: ConnectionStatus; readonly cause: OutageCause | null }

/** Notes that a connection went away, why it stays away, or that it is back. */
export async function noteOutage(db: Tx, id: number, before: Stand, after: Stand, now: Date): Promise<void> {
  const open = db.updateTable('connection_outages').where('connection_id', '=', id).where('ended_at', 'is', null)
  if (after.status === 'CONNECTED') return void (await open.set({ ended_at: now }).execute())
  if (after.cause === null) return
  if (before.status !== 'CONNECTED') return void (await open.set({ cause: after.cause }).execute())
  await sql`insert into connection_outages (tenant_id, connection_id, cause, began_at)
    values (app.tenant(), ${id}, ${after.cause}, ${now})
    on conflict (tenant_id, connection_id) where ended_at is null do update set cause = excluded.cause`.execute(db)
}

/** Notes what came in after a connection's last return; nothing where it never was away. */
export async function noteRecovery(
  db: Tx,
  id: number,
  { recovered, missing, now }: { recovered: number; missing: number | null; now: Date },
): Promise<void> {
  await sql`update connection_outages set recovered = ${recovered}, missing = ${missing}, checked_at = ${now}
    where tenant_id = app.tenant() and checked_at is null and id = (
      select id from connection_outages where tenant_id = app.tenant() and connection_id = ${id} and ended_at is not null
      order by id desc limit 1)`.execute(db)
}

/** When a connection was away, newest first; of a page one more than it has. */
export const listOutages = (db: Queryable, id: number, { before, limit }: { before: number | null; limit: number }) =>
  db
    .selectFrom('connection_outages')
    .select(['id', 'cause', 'began_at', 'ended_at', 'recovered', 'missing', 'checked_at'])
    .where('connection_id', '=', id)
    .$if(before !== null, (query) => query.where('id', '<', before))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
