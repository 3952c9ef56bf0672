import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { toError } from '#kit/errors.ts'
import type { Log } from '../log.ts'

const BEAT_MS = 2000
/** Time-out of an answer, in ms: together with the beat, a silent connection is noticed within five seconds. */
const ANSWER_MS = 2500
const CONNECT_MS = 3000
const OPEN_MS = 10_000
const RETRY_MS = 300

/** Dedicated connection, open now. */
export type OpenConnection = {
  readonly client: pg.Client
  /** Queries on it, one query after the other. */
  query(text: string, values?: unknown[]): Promise<unknown>
  /** Returns the time since the last answered query, in ms: the database may have dropped the connection since then. */
  silentFor(): number
  /** Closes it; a new one is opened. */
  close(error?: Error): void
}

/**
 * Keeps a connection open for the lifetime of the process: pings it every two seconds, drops it without an answer, and
 * reconnects until it succeeds. `open` prepares each new connection; `lost` receives each loss and failed attempt with
 * its error code. Rejects if the first connection fails. Returns how to close it.
 */
export async function persistentConnection(
  connectionString: string,
  name: string,
  { open, lost, log }: { open(connection: OpenConnection): Promise<void>; lost(code: string): void; log: Log },
): Promise<() => Promise<void>> {
  const closing = new AbortController()
  const first = Promise.withResolvers<void>()
  let isFirst = true
  let isOpen = true

  // Runs as long as one connection is open.
  async function live(): Promise<void> {
    const gone = new AbortController()
    const close = (error?: Error) => gone.abort(error)
    const client = new pg.Client({ connectionString, application_name: name, connectionTimeoutMillis: CONNECT_MS })
    client.on('error', close)
    client.on('end', () => close())
    let answered = performance.now()
    const query = queryInTurn(client)
    try {
      await within(CONNECT_MS, client.connect())
      await within(OPEN_MS, open({ client, query, close, silentFor: () => performance.now() - answered }))
      isFirst = false
      isOpen = true
      first.resolve()
      const signal = AbortSignal.any([gone.signal, closing.signal])
      for (;;) {
        const asked = performance.now()
        await within(ANSWER_MS, query('select 1'))
        answered = asked
        await pause(BEAT_MS, undefined, { signal })
      }
    } finally {
      answered = Number.NEGATIVE_INFINITY
      // During a query this breaks the connection: a silent one would not end otherwise.
      const ended = within(ANSWER_MS, client.end()).catch(() => {})
      if (closing.signal.aborted) await ended
    }
  }

  const living = (async () => {
    while (!closing.signal.aborted) {
      const error = await live().catch((error: unknown) => error)
      if (closing.signal.aborted) return
      if (isOpen) log.warn({ err: error, connection: name }, 'connection lost')
      isOpen = false
      lost(codeOf(error))
      if (isFirst) return first.reject(error)
      await pause(RETRY_MS)
    }
  })()
  await first.promise
  return () => {
    closing.abort()
    return living
  }
}

/** Returns what asks a client one question after the other. */
function queryInTurn(client: pg.Client): OpenConnection['query'] {
  let turn: Promise<unknown> = Promise.resolve()
  return (text, values) => {
    const asked = turn.then(() => client.query(text, values))
    turn = asked.catch(() => {})
    return asked
  }
}

// A timer may be late because this process was paused or overloaded: data that the connection received meanwhile are read
// first.
function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_, reject) => {
    const late = () => reject(Object.assign(new Error('Query read timeout'), { code: 'ETIMEDOUT' }))
    timer = setTimeout(() => setImmediate(late), ms)
  })
  work.catch(() => {})
  return Promise.race([work, limit]).finally(() => clearTimeout(timer))
}

// An aborted connection has the reason as its cause.
function codeOf(error: unknown): string {
  const { code }: { code?: unknown } = Object(toError(error).cause ?? error)
  return typeof code === 'string' && code !== 'ABORT_ERR' ? code : 'ECONNRESET'
}
