import {
  type CompiledQuery,
  type DatabaseConnection,
  Kysely,
  PostgresAdapter,
  PostgresDialect,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type Transaction,
} from 'kysely'
import pg from 'pg'
import type { DB } from '#db/types.ts'
import type { Log } from '../log.ts'
import type { DatabaseUrls } from './roles.ts'

// bigint ids and counters stay below 2^53 (decision B1)
pg.types.setTypeParser(20, Number)
pg.types.setTypeParser(1016 as never, (text: string) => (text === '{}' ? [] : text.slice(1, -1).split(',').map(Number)))

/** A unit of work of one tenant. */
export type Tx = Transaction<DB>

/** What queries run on: a transaction, or a reader of one tenant. */
export type Queryable = Kysely<DB>

/** The database's doors. There is no other way to the tables. */
export type Database = ReturnType<typeof openDatabase>

/** Opens the pools of the application's and the platform's roles. */
export function openDatabase(urls: DatabaseUrls, options: { max: number; log: Log }) {
  const app = pool(urls.app, options.max, options.log)
  const platform = pool(urls.platform, 4, options.log)
  const platformDb = new Kysely<DB>({ dialect: new PostgresDialect({ pool: platform }) })

  // Readers keep their tenant on the connection, so that a read is one round trip; whoever takes the connection
  // next compares and changes it first.
  async function claim(tenantId: number): Promise<Claimed> {
    const client: Claimed = await app.connect()
    if (client.tenant === tenantId) return client
    try {
      // Plans are made once per statement, not per value: planning a list takes longer than reading it.
      await client.query(
        "select set_config('app.tenant_id', $1, false), set_config('plan_cache_mode', 'force_generic_plan', false)",
        [String(tenantId)],
      )
    } catch (error) {
      client.release(true)
      throw error
    }
    client.tenant = tenantId
    return client
  }

  return {
    /** Runs reads of one tenant, without a transaction around them. */
    async read<T>(tenantId: number, work: (db: Queryable) => Promise<T>): Promise<T> {
      const client = await claim(tenantId)
      try {
        return await work(on(client))
      } finally {
        client.release()
      }
    },
    /** Runs one transaction of one tenant: committed when `work` returns, rolled back when it throws. */
    async write<T>(tenantId: number, work: (db: Tx) => Promise<T>): Promise<T> {
      const client = await claim(tenantId)
      let broken: Error | undefined
      try {
        await client.query('begin')
        const result = await work(on(client) as Tx)
        await client.query('commit')
        return result
      } catch (error) {
        await client.query('rollback').catch((failure: Error) => {
          broken = failure
        })
        throw error
      } finally {
        client.release(broken)
      }
    },
    /** The one door across tenants: super-admin work and whatever is looked up before a tenant is known. */
    asPlatform: <T>(work: (db: Tx) => Promise<T>): Promise<T> => platformDb.transaction().execute(work),
    /** A named, prepared statement of one tenant: one round trip, for the hot paths. */
    async prepared<R extends pg.QueryResultRow>(
      tenantId: number,
      name: string,
      text: string,
      values: unknown[],
    ): Promise<R[]> {
      const client = await claim(tenantId)
      try {
        return (await client.query<R>({ name, text, values })).rows
      } finally {
        client.release()
      }
    },
    /** Proves that both pools answer. */
    async ping(): Promise<void> {
      await Promise.all([app.query('select 1'), platform.query('select 1')])
    },
    async close(): Promise<void> {
      await Promise.all([app.end(), platformDb.destroy()])
    },
  }
}

type Claimed = pg.PoolClient & { tenant?: number; queries?: Queryable }

function pool(connectionString: string, max: number, log: Log): pg.Pool {
  const made = new pg.Pool({ connectionString, max, idleTimeoutMillis: 60_000, application_name: 'guiche' })
  const lost = (err: Error) => log.warn({ err }, 'database connection lost')
  made.on('error', lost)
  made.on('connect', (client) => client.on('error', lost))
  return made
}

// One claimed connection as a Kysely instance. Beginning and committing is the door's business, not the caller's.
function on(client: Claimed): Queryable {
  client.queries ??= queriesOf(client)
  return client.queries
}

function queriesOf(client: pg.PoolClient): Queryable {
  const connection: DatabaseConnection = {
    async executeQuery<R>(query: CompiledQuery) {
      const result = await client.query({
        name: statementName(query.sql),
        text: query.sql,
        values: [...query.parameters],
      })
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
const adapter = new PostgresAdapter()
const compiler = new PostgresQueryCompiler()

// Every statement is prepared once per connection; the number of different ones is bounded.
const names = new Map<string, string>()
function statementName(sql: string): string | undefined {
  const known = names.get(sql)
  if (known || names.size >= 1000) return known
  const name = `q${names.size}`
  names.set(sql, name)
  return name
}
