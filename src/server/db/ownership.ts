import type { OpenConnection } from './persistent-connection.ts'

// A worker owns its work by an advisory lock with the worker's name, on a connection that it uses every two seconds and
// that the database closes after ten seconds of silence: dead, cut off or frozen, it loses the lock (decision 0014).
const SILENCE = '10s'
/** Silence in ms after which the lock may be lost, and the owner stops working. Shorter than the database's limit. */
const OWNED_MS = 9000

/** Class of the advisory locks: `hashtextextended(name, class)`. */
export const OWNER_LOCK = 7

/** Acquires the advisory lock of `name` on a connection. */
export async function lockOwner({ query }: OpenConnection, name: string): Promise<void> {
  await query(`set idle_session_timeout = '${SILENCE}'`)
  await query('select pg_advisory_lock(hashtextextended($1, $2))', [name, OWNER_LOCK])
}

/** Whether this connection certainly still holds its lock; no query. */
export const isOwner = (connection: OpenConnection): boolean => connection.silentFor() <= OWNED_MS
