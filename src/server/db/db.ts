import {
  type CompiledQuery,
  type DatabaseConnection,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type Transaction,
} from 'kysely'
import pg from 'pg'
import type { DB } from '#db/types.ts'
import { lookUp } from '#domain/present.ts'
import type { Health } from '../health.ts'
import type { Log } from '../log.ts'
import { createFairGate, type FairGate } from './fair-gate.ts'
import { isBroken, isRefused, isTooLate } from './faults.ts'
import { cutConnection, watchDatabase } from './heartbeat.ts'
import { momentParser } from './moments.ts'
import { refuseSecondClient, withClientInUse } from './one-client.ts'
import { persistentConnection } from './persistent-connection.ts'
import { repeated } from './repeated.ts'
import type { DatabaseUrls } from './roles.ts'

// bigint ids and counters stay below 2^53 (decision B1)
pg.types.setTypeParser(20, Number)
pg.types.setTypeParser(1184, momentParser(pg.types.getTypeParser(1184)))
pg.types.setTypeParser(1016 as never, (text: string) => (text === '{}' ? [] : text.slice(1, -1).split(',').map(Number)))

/** Transaction of one tenant's unit of work. */
export type Tx = Transaction<DB>

/** Connection for queries: a transaction, or a reader of one tenant. */
export type Queryable = Kysely<DB>

/** Access to the database; there is no other way to the tables. */
export type Database = ReturnType<typeof openDatabase>

/** Options of a database; `onSecondClient` is called for a unit of work that asks for a second client. */
export type DatabaseOptions = {
  /** Connections of the application's pool. */
  max: number
  log: Log
  /** Clock of every transaction. */
  now: () => Date
  /** Receives unreachable and hanging states of the database. */
  health?: Health
  onSecondClient?: (error: Error) => void
}

/** Time-out of waiting for a free client, in ms; then 503. */
const WAIT_MS = 8000
/** Connect time-out, in ms. */
const CONNECT_MS = 3000
/** Time-out of an answer, in ms; the server ends a statement earlier (db/migrations/0015_time_limits.sql), unless it hangs. */
const ANSWER_MS = 15_000
const PLATFORM_CLIENTS = 4

/** Opens the pools of the application's and the platform's roles. */
export function openDatabase(urls: DatabaseUrls, options: DatabaseOptions) {
  const { health, log, now } = options
  const onSecond = options.onSecondClient ?? loggedOnce(log)
  const app = openPool(urls.app, options.max, { log, health, onSecond })
  const platform = openPool(urls.platform, Math.min(PLATFORM_CLIENTS, options.max), { log, health, onSecond })
  const withTenant = <T>(tenantId: number, work: (client: Claimed) => Promise<T>): Promise<T> =>
    withClientOf(app, tenantId, work)

  return {
    /** Runs reads of one tenant without a transaction; repeats them if the connection is lost. */
    read: <T>(tenantId: number, work: (db: Queryable) => Promise<T>): Promise<T> =>
      repeated(() => withTenant(tenantId, (client) => work(on(client)))),
    /**
     * Runs one transaction of one tenant: committed when `work` returns, rolled back when it throws. With `isGuarded` (the
     * first statements write nothing outside of a transaction) they are sent together with its `begin`, and settle after it.
     */
    write: <T>(tenantId: number, work: (db: Tx) => Promise<T>, { isGuarded = false } = {}): Promise<T> =>
      withTenant(tenantId, (client) => inTransaction(client, now(), work, isGuarded)),
    /**
     * Runs a transaction across tenants: super-admin work, and look-ups before a tenant is known. Repeated if the database
     * cut it.
     */
    asPlatform: <T>(work: (db: Tx) => Promise<T>): Promise<T> =>
      repeated(() => withClient(platform, 0, (client) => inTransaction(client, now(), work))),
    /**
     * Variant of `asPlatform` for reads and single repeatable statements: without a transaction, so one round trip each, and
     * without a clock.
     */
    askAsPlatform: <T>(work: (db: Queryable) => Promise<T>): Promise<T> =>
      repeated(() => withClient(platform, 0, (client) => work(on(client)))),
    /** Runs a named, prepared statement of one tenant: one round trip, for the hot paths. */
    prepared: <R extends pg.QueryResultRow>(
      tenantId: number,
      name: string,
      text: string,
      values: unknown[],
    ): Promise<R[]> => withTenant(tenantId, async (client) => (await client.query<R>({ name, text, values })).rows),
    /** Opens a connection for the lifetime of the process, with a name that is visible on the server. */
    persistent: (name: string, use: Omit<Parameters<typeof persistentConnection>[2], 'log'>) =>
      persistentConnection(urls.platform, name, { ...use, log }),
    /** Checks that both pools answer. */
    async ping(): Promise<void> {
      for (const { check } of [app, platform]) check()
      await Promise.all([app.clients.query('select 1'), platform.clients.query('select 1')])
    },
    async close(): Promise<void> {
      await Promise.all([app.close(), platform.close()])
    },
  }
}

type Claimed = pg.PoolClient & {
  tenant?: number
  queries?: Queryable
  isBroken?: boolean
  answerMs?: number
  now?: Date
  /** Pending `begin` of a transaction that is not known to have begun. */
  begun?: Promise<unknown>
  parts?: ('due' | 'made')[]
  isCorked?: boolean
  /** Error of the transaction's first statement. */
  failure?: unknown
}
type Pool = {
  clients: pg.Pool
  gate: FairGate
  onSecond(error: Error): void
  check(): void
  close(): Promise<void>
}

async function withClient<T>(pool: Pool, company: number, work: (client: Claimed) => Promise<T>): Promise<T> {
  refuseSecondClient('a client is asked for')
  pool.check()
  const turn = pool.gate.enter(company)
  if (turn) await turn
  try {
    const client: Claimed = await pool.clients.connect()
    try {
      return await withClientInUse(pool.onSecond, () => work(client))
    } catch (error) {
      client.isBroken ||= isBroken(error)
      throw error
    } finally {
      delete client.answerMs
      client.release(client.isBroken)
    }
  } finally {
    pool.gate.leave(company)
  }
}

// Readers leave their tenant on the connection, so that a read is one round trip; the next user of the connection
// compares and changes it first.
const withClientOf = <T>(pool: Pool, tenantId: number, work: (client: Claimed) => Promise<T>): Promise<T> =>
  withClient(pool, tenantId, async (client) => {
    if (client.tenant === tenantId) return work(client)
    client.isBroken = true
    // Plans are made once per statement, not per value: planning a list takes longer than reading it.
    await client.query(
      "select set_config('app.tenant_id', $1, false), set_config('plan_cache_mode', 'force_generic_plan', false)",
      [String(tenantId)],
    )
    client.isBroken = false
    client.tenant = tenantId
    return work(client)
  })

type Watching = { log: Log; health: Health | undefined; onSecond: Pool['onSecond'] }

function openPool(connectionString: string, max: number, { log, health, onSecond }: Watching): Pool {
  // All clients, from the moment when they begin to connect.
  const open = new Set<pg.Client>()
  function Client(config: pg.ClientConfig): pg.Client {
    const client = new pg.Client(config)
    open.add(client)
    return client.once('end', () => open.delete(client))
  }
  const clients = new pg.Pool({
    Client: Client as unknown as typeof pg.Client,
    connectionString,
    max,
    idleTimeoutMillis: 60_000,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: ANSWER_MS,
    application_name: 'guiche',
    // Sends queries without waiting for earlier answers; answers come in order.
    pipeline: true,
  })
  const lost = (err: Error) => log.warn({ err }, 'database connection lost')
  clients.on('error', lost)
  clients.on('connect', (client) => client.on('error', lost))
  const gate = createFairGate(max, WAIT_MS)
  const heartbeat =
    health &&
    watchDatabase(connectionString, {
      health,
      log,
      clients: open,
      isBusy: () => clients.totalCount > clients.idleCount || clients.waitingCount > 0,
      onStill(error) {
        gate.refuse(error)
        for (const client of open) cutConnection(client)
      },
    })
  return {
    clients,
    gate,
    onSecond,
    check: () => heartbeat?.check(),
    async close() {
      await clients.end()
      heartbeat?.close()
    },
  }
}

// Commits when the work returns; rolls back when it throws, or when a statement that it did not wait for has failed.
async function inTransaction<T>(
  client: Claimed,
  now: Date,
  work: (db: Tx) => Promise<T>,
  isGuarded = false,
): Promise<T> {
  client.now = now
  delete client.failure
  try {
    writeTogether(client)
    const begun = client.query(`begin; set local app.now = '${now.toISOString()}'`)
    begun.catch(() => {})
    if (isGuarded) client.begun = begun
    else await begun
    const result = await work(on(client) as Tx)
    // Settles before anything that was sent after it.
    await begun
    const { command } = await client.query('commit').catch((error: Error) => {
      throw isRefused(error) ? error : new Error('it is not known whether this was committed', { cause: error })
    })
    // After a failed statement there is nothing to commit.
    if (command !== 'COMMIT')
      throw client.failure ?? new Error('rolled back: a statement of this transaction had failed')
    return result
  } catch (thrown) {
    // After a failed pipelined statement, later ones only report that they came too late.
    const error = (isTooLate(thrown) && client.failure) || thrown
    if (!isBroken(error))
      await client.query('rollback').catch(() => {
        client.isBroken = true
      })
    throw error
  } finally {
    delete client.begun
  }
}

/** Logs each place in the code once. */
function loggedOnce(log: Log): (error: Error) => void {
  const known = new Set<string | undefined>()
  return (err) => {
    // The call and its caller identify a place; the rest of the stack varies.
    const at = err.stack?.split('\n').slice(0, 8).join('\n')
    if (known.has(at) || known.size === 100) return
    known.add(at)
    log.error({ err }, 'a unit of work asks for a second client')
  }
}

// A claimed connection as a Kysely instance. Begin and commit are done in this module, not by the caller.
function on(client: Claimed): Queryable {
  if (client.queries) return client.queries
  client.queries = queriesOf(client)
  clientOf.set(client.queries, client)
  return client.queries
}
const clientOf = new WeakMap<Queryable, Claimed>()

/** Returns the timestamp of this transaction, which `app.now()` and the defaults of its rows use. */
export const transactionTime = (db: Tx): Date => lookUp(clientOf, db).now!

/** Sets the time-out of this transaction's statements in ms, where they are known to take longer than a role permits. */
export async function allowStatements(db: Tx, ms: number): Promise<void> {
  const client = lookUp(clientOf, db)
  client.answerMs = ms + ANSWER_MS
  await client.query("select set_config('statement_timeout', $1, true)", [String(ms)])
}

/**
 * Runs a part of a transaction that leaves nothing behind when it throws. The savepoint is made with its first statement,
 * so that a part that asks nothing of the database costs nothing. Parts may contain each other.
 */
export async function partOf<T>(db: Tx, work: () => Promise<T>): Promise<T> {
  const client = lookUp(clientOf, db)
  client.parts ??= []
  const depth = client.parts.push('due') - 1
  try {
    return await work()
  } catch (error) {
    if (client.parts[depth] === 'made' && !isBroken(error)) {
      await client.query(`rollback to savepoint part${depth}`)
      delete client.failure
    }
    throw error
  } finally {
    client.parts.pop()
  }
}

/** Creates the pending savepoints, the outermost first. */
function makeParts(client: Claimed) {
  const due = client.parts?.flatMap((part, depth) => (part === 'due' ? [`savepoint part${depth}`] : [])) ?? []
  client.parts?.fill('made')
  return due.length > 0 && client.query(due.join('; '))
}

function queriesOf(client: Claimed): Queryable {
  const connection: DatabaseConnection = {
    async executeQuery<R>(query: CompiledQuery) {
      const savepoint = makeParts(client)
      const [result] = await Promise.all([ask(client, query.sql, query.parameters), savepoint, client.begun])
      return { rows: result.rows as R[], numAffectedRows: BigInt(result.rowCount ?? 0) }
    },
    streamQuery() {
      throw new Error('streaming is not offered')
    },
  }
  const refuse = async () => {
    throw new Error('a unit of work is already one transaction')
  }
  return new Kysely<DB>({
    dialect: {
      createAdapter: () => adapter,
      createQueryCompiler: () => compiler,
      createIntrospector: (db) => new PostgresIntrospector(db),
      createDriver: () => ({
        init: async () => {},
        acquireConnection: async () => connection,
        beginTransaction: refuse,
        commitTransaction: refuse,
        rollbackTransaction: refuse,
        releaseConnection: async () => {},
        destroy: async () => {},
      }),
    },
  })
}

// Sends all queries of one tick in one write.
function writeTogether(client: Claimed): void {
  if (client.isCorked) return
  const { stream } = client.connection
  client.isCorked = true
  stream.cork()
  process.nextTick(() => {
    client.isCorked = false
    stream.uncork()
  })
}

async function ask(client: Claimed, text: string, parameters: readonly unknown[]): Promise<pg.QueryResult> {
  try {
    writeTogether(client)
    return await client.query({
      name: statementName(text),
      text,
      values: [...parameters],
      ...(client.answerMs ? { query_timeout: client.answerMs } : {}),
    })
  } catch (error) {
    client.failure ??= error
    throw error
  }
}

/**
 * Sends the last statements of a transaction without waiting: they go out together with the commit, which fails with their
 * error. `then` receives the rows before the commit is known.
 */
export function askWithCommit<R extends pg.QueryResultRow>(
  db: Tx,
  { text, values }: { text: string; values: readonly unknown[] },
  then: (rows: R[]) => void = () => {},
): void {
  // Its error is kept for the commit.
  ask(lookUp(clientOf, db), text, values).then(
    ({ rows }) => then(rows),
    () => {},
  )
}

const adapter = new PostgresAdapter()
const compiler = new PostgresQueryCompiler()

// Every statement is prepared once per connection; the number of distinct ones is bounded.
const names = new Map<string, string>()
function statementName(sql: string): string | undefined {
  const known = names.get(sql)
  if (known || names.size >= 1000) return known
  const name = `q${names.size}`
  names.set(sql, name)
  return name
}
