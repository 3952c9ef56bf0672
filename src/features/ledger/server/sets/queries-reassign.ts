import { sql } from 'kysely'
import type { Tx } from '#server/db/db.ts'

// A literal, so that the partial index is used.
const isActive = sql<boolean>`status in ('open', 'pending')`

const activeWhere = async (
  db: Tx,
  column: 'user_id' | 'queue_id' | 'connection_id',
  id: number,
  most?: number,
): Promise<number[]> => {
  const rows = await db
    .selectFrom('tickets')
    .select('id')
    .where(column, '=', id)
    .where(isActive)
    .orderBy('id')
    .$if(most !== undefined, (query) => query.limit(most!))
    .execute()
  return rows.map((row) => row.id)
}

/** Returns the open and pending tickets of a user, by id. */
export const activeOfUser = (db: Tx, userId: number) => activeWhere(db, 'user_id', userId)

/** Returns the open and pending tickets of a queue, by id. */
export const activeOfQueue = (db: Tx, queueId: number) => activeWhere(db, 'queue_id', queueId)

/** Open and pending tickets of a connection, by id, at most `most`. */
export const activeOfConnection = (db: Tx, connectionId: number, most: number) =>
  activeWhere(db, 'connection_id', connectionId, most)

/** Author and time of a change of tickets. */
type Changing = { readonly by: number | null; readonly now: Date }
const counted = ({ by, now }: Changing) => sql`revision = revision + 1, changed_by = ${by}, changed_at = ${now}`

/** Returns active tickets to waiting, for everyone or for `heir`. */
export async function releaseTickets(
  db: Tx,
  ids: readonly number[],
  heir: number | null,
  change: Changing,
): Promise<void> {
  await sql`update tickets set status = 'pending', user_id = ${heir}, updated_at = ${change.now}, ${counted(change)}
    where id = any(${[...ids]}::bigint[])`.execute(db)
}

/** Moves every ticket of a queue to another one; closed ones keep their list position. */
export async function moveQueueOf(db: Tx, from: number, to: number, change: Changing): Promise<void> {
  await sql`update tickets set queue_id = ${to}, ${counted(change)},
    updated_at = case when ${isActive} then ${change.now} else updated_at end where queue_id = ${from}`.execute(db)
}

/** Deletes a leaving user's drafts, positions, notifications and memberships; the heir gets the scheduled messages. */
export async function forgetColleague(
  db: Tx,
  { id, heir, at }: { readonly id: number; readonly heir: number | null; readonly at: Date },
): Promise<void> {
  await db.deleteFrom('ticket_group_users').where('user_id', '=', id).execute()
  await db.deleteFrom('drafts').where('user_id', '=', id).execute()
  await db.deleteFrom('reading_positions').where('user_id', '=', id).execute()
  await db.deleteFrom('notifications').where('user_id', '=', id).execute()
  if (heir !== null)
    await sql`update messages set user_id = ${heir}
      where user_id = ${id} and from_me and schedule_date > ${at} and status in ('pending', 'queued')`.execute(db)
}
