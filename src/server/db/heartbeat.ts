import pg from 'pg'
import type { Health } from '../health.ts'
import type { Log } from '../log.ts'

const TICK_MS = 500
/** Unanswered for so many ticks the database stands still. Ticks and not the clock: a process that was busy itself has only missed some. */
const MOST_TICKS = 6

/** What is known of a database that may stand still. */
export type Heartbeat = {
  /** Throws at once while the database stands still; nobody begins to wait for it then. */
  check(): void
  close(): void
}

/** Ends the connection under a client at once; whoever waits for an answer on it is told. */
export function cutConnection(client: pg.ClientBase): void {
  const { connection } = client as unknown as { connection: { stream: { destroy(): void } } }
  connection.stream.destroy()
}

/**
 * While somebody waits for the database it is asked every half second, on a connection of its own, whether it lives. One
 * that says nothing for three seconds (stopped, or behind a dead line: it keeps no time limit of its own then) makes
 * `onStill` end what waits. `health` hears of it, and of a database that cannot be reached, until it answers again.
 */
export function watchDatabase(
  url: string,
  { isBusy, onStill, health, log }: { isBusy(): boolean; onStill(error: Error): void; health: Health; log: Log },
): Heartbeat {
  let client: pg.Client | undefined
  let asked: { ticks: number } | undefined
  let isStill = false
  let isFailing = false

  async function ask(): Promise<void> {
    if (!client) {
      const next = new pg.Client({ connectionString: url, application_name: 'guiche heartbeat' })
      next.on('error', () => {})
      client = next
      await next.connect()
    }
    await client.query('select 1')
  }

  function fail(code: string) {
    if (client) cutConnection(client)
    client = undefined
    isFailing = true
    health.fail('database', code)
  }

  function tick() {
    if (asked) {
      if (++asked.ticks < MOST_TICKS) return
      asked = undefined
      if (!isStill) log.error('the database does not answer')
      isStill = true
      fail('ETIMEDOUT')
      onStill(standingStill())
      return
    }
    if (!isBusy() && !isFailing) return
    const question = { ticks: 0 }
    asked = question
    ask().then(
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
        if (error.code !== '53300') fail(error.code ?? '08006')
        else client = undefined
      },
    )
  }

  const timer = setInterval(tick, TICK_MS)
  timer.unref()
  return {
    check() {
      if (isStill) throw standingStill()
    },
    close() {
      clearInterval(timer)
      if (client) cutConnection(client)
    },
  }
}

const standingStill = () => Object.assign(new Error('the database does not answer'), { code: 'ETIMEDOUT' })
