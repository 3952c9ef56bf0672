import pg from 'pg'
import type { Health } from '../health.ts'
import type { Log } from '../log.ts'

const TICK_MS = 500
/** Silent for so many ticks, it stands still. Ticks and not the clock: a process that was busy itself has only missed some. */
const MOST_TICKS = 6

/** What is known of a database that may stand still. */
export type Heartbeat = {
  /** Throws at once while the database stands still; nobody begins to wait for it then. */
  check(): void
  close(): void
}

type Watched = {
  /** The pool's connections, and whether anybody waits for one of them. */
  clients: ReadonlySet<pg.ClientBase>
  isBusy(): boolean
  onStill(error: Error): void
  health: Health
  log: Log
}

// What `pg` does not declare.
type Inside = {
  processID: number | null
  readyForQuery: boolean
  connection: { stream: { bytesRead: number; bytesWritten: number; destroy(): void } }
}
const inside = (client: pg.ClientBase) => client as unknown as Inside

/** Ends the connection under a client at once; whoever waits for an answer on it is told. */
export const cutConnection = (client: pg.ClientBase): void => inside(client).connection.stream.destroy()

/**
 * While somebody waits for a pool's database it is asked every half second, on a connection of its own, whether it lives.
 * One that says nothing for three seconds (stopped, or behind a dead connection: it keeps no time limit of its own then) makes
 * `onStill` end what waits. `health` learns of it, and of a database that cannot be reached, until it answers again. A
 * single connection on which nothing came for as long, and whose backend has long known of no work, is cut alone.
 */
export function watchDatabase(url: string, { clients, isBusy, onStill, health, log }: Watched): Heartbeat {
  let client: pg.Client | undefined
  let asked: { ticks: number } | undefined
  let isStill = false
  let isFailing = false
  const silences = new WeakMap<pg.ClientBase, { bytes: number; ticks: number }>()

  /** Process ids behind connections that have owed an answer for too long. */
  function silent(): Map<number, pg.ClientBase> {
    const found = new Map<number, pg.ClientBase>()
    for (const one of clients) {
      const { processID, readyForQuery, connection } = inside(one)
      const bytes = connection.stream.bytesRead + connection.stream.bytesWritten
      const before = silences.get(one)
      const ticks = readyForQuery || before?.bytes !== bytes ? 0 : before.ticks + 1
      silences.set(one, { bytes, ticks })
      if (processID && ticks >= MOST_TICKS) found.set(processID, one)
    }
    return found
  }

  async function ask(suspects: Map<number, pg.ClientBase>): Promise<void> {
    if (!client) {
      const next = new pg.Client({ connectionString: url, application_name: 'guiche heartbeat' })
      next.on('error', () => {})
      client = next
      await next.connect()
    }
    const { rows } = await client.query<{ pid: number }>(
      "select pid from pg_stat_activity where pid = any($1) and state <> 'active' and state_change < now() - interval '2 seconds'",
      [[...suspects.keys()]],
    )
    for (const { pid } of rows) cutConnection(suspects.get(pid)!)
  }

  function fail(code: string) {
    if (client) cutConnection(client)
    client = undefined
    isFailing = true
    health.fail('database', code)
  }

  function tick() {
    const suspects = silent()
    // Whoever was still on the way into the pool.
    if (isStill) onStill(timedOut())
    if (asked) {
      if (++asked.ticks < MOST_TICKS) return
      asked = undefined
      if (!isStill) log.error('the database does not answer')
      isStill = true
      fail('ETIMEDOUT')
      onStill(timedOut())
      return
    }
    if (!isBusy() && !isFailing) return
    const question = { ticks: 0 }
    asked = question
    ask(suspects).then(
      () => {
        if (asked !== question) return
        asked = undefined
        isStill = false
        if (isFailing) health.recover('database')
        isFailing = false
      },
      (error: { code?: string }) => {
        if (asked !== question) return
        asked = undefined
        isStill = false
        // All connections are taken: those that others have may do very well.
        if (error.code === '53300') client = undefined
        else fail(error.code ?? '08006')
      },
    )
  }

  const timer = setInterval(tick, TICK_MS)
  timer.unref()
  return {
    check() {
      if (isStill) throw timedOut()
    },
    close() {
      clearInterval(timer)
      if (client) cutConnection(client)
    },
  }
}

const timedOut = () => Object.assign(new Error('the database does not answer'), { code: 'ETIMEDOUT' })
