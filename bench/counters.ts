import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import pg from 'pg'

// Imports nothing of the product: it is also used in states whose modules have other names.

/** Usage of a state since its start: ms of CPU, and counts. */
export type Counters = {
  node: number
  postgres: number
  statements: number
  roundTrips: number
  buffers: number
  /** Between the product and PostgreSQL, in both directions. */
  bytes: number
  /** Rows of `messages`. */
  messages: number
}

type Connection = { stream: Socket; prependOnceListener(event: 'readyForQuery', listener: () => void): void }
type Submitted = { submit(connection: Connection): Error | null }

/** Counts this process's use of PostgreSQL from now on: round trips, and bytes in both directions. */
export function countQueries(): () => { roundTrips: number; bytes: number } {
  const pending = new Map<Connection, number>()
  const query = pg.Query.prototype as unknown as Submitted
  const { submit } = query
  let roundTrips = 0
  query.submit = function (connection) {
    const before = pending.get(connection) ?? 0
    // Statements written before a response arrives are one round trip.
    if (before === 0) roundTrips++
    pending.set(connection, before + 1)
    connection.prependOnceListener('readyForQuery', () => pending.set(connection, pending.get(connection)! - 1))
    return submit.call(this, connection)
  }
  return () => ({
    roundTrips,
    bytes: [...pending.keys()].reduce((sum, { stream }) => sum + stream.bytesRead + stream.bytesWritten, 0),
  })
}

/**
 * Returns a function for the CPU time, in ms, of a PostgreSQL server and its processes, including those that ended since its
 * first call.
 */
export function postgresCpu(postmaster: number): () => number {
  const known = new Map<string, number>()
  return () => {
    const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').trim().split(' ')
    for (const pid of [String(postmaster), ...children])
      try {
        known.set(pid, Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6)
      } catch {
        // The process has ended in the meantime.
      }
    return [...known.values()].reduce((sum, ms) => sum + ms, 0)
  }
}

/** Statements and shared buffers by `pg_stat_statements`, and the messages there are. */
export async function databaseCounters(
  owner: pg.Client,
): Promise<Pick<Counters, 'statements' | 'buffers' | 'messages'>> {
  const { rows } = await owner.query<{ statements: number; buffers: number; messages: number }>(
    `select sum(calls)::float8 as statements, sum(shared_blks_hit + shared_blks_read)::float8 as buffers,
       (select count(*)::float8 from messages) as messages from pg_stat_statements`,
  )
  return rows[0]!
}
