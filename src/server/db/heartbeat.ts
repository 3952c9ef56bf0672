import pg from 'pg'
import { lookUp } from '#domain/present.ts'
import type { Health } from '../health.ts'
import type { Log } from '../log.ts'

const TICK_MS = 500
/**
 * Ticks of silence after which the database counts as hanging. Ticks instead of a clock: a busy process only missed
 * some.
 */
const MOST_TICKS = 6

/** State of a database that may hang. */
export type Heartbeat = {
  /** Throws at once while the database hangs, instead of waiting. */
  check(): void
  close(): void
}

type Watched = {
  /** Connections of the pool; `isBusy` returns whether requests wait for one of them. */
  clients: ReadonlySet<pg.ClientBase>
  isBusy(): boolean
  onStill(error: Error): void
  health: Health
  log: Log
}

// Properties that `pg` does not declare.
type Inside = {
  processID: number | null
  readyForQuery: boolean
  connection: { stream: { bytesRead: number; bytesWritten: number; destroy(): void } }
}
const inside = (client: pg.ClientBase) => client as unknown as Inside

/** Closes the connection of a client at once; pending queries fail. */
export const cutConnection = (client: pg.ClientBase): void => inside(client).connection.stream.destroy()

/**
 * Monitors a pool's database while requests wait for it: queries it every half second on a connection of its own. After
 * three seconds of silence `onStill` ends what waits, and `health` is notified until it answers again. A single connection
 * that was silent as long, and whose backend is idle, is cut alone.
 */
export function watchDatabase(url: string, { clients, isBusy, onStill, health, log }: Watched): Heartbeat {
  let client: pg.Client | undefined
  let asked: { ticks: number } | undefined
  let isStill = false
  let isFailing = false
  const silences = new WeakMap<pg.ClientBase, { bytes: number; ticks: number }>()

  /** Returns the connections whose answer is overdue, by their backend's process id. */
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
    for (const { pid } of rows) cutConnection(lookUp(suspects, pid))
  }

  function fail(code: string) {
    if (client) cutConnection(client)
    client = undefined
    isFailing = true
    health.fail('database', code)
  }

  function tick() {
    const suspects = silent()
    // Rejects requests that entered the pool meanwhile.
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
        // Too many connections (53300): those in use may work well.
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
