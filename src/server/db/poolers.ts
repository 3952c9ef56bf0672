import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { firstOf } from '#domain/present.ts'
import type { DatabaseUrls } from './roles.ts'

const WAIT_MS = 2000
const ANSWER_MS = 5000

/**
 * Fails with a sentence if an address leads to a pooler in transaction mode: readers store their tenant on the connection
 * (decision 0001) and would read another company's rows; LISTEN and session locks do not work either. A pooler in session
 * mode is fine.
 */
export async function refuseTransactionPooler(urls: DatabaseUrls): Promise<void> {
  const addresses = [...new Set([urls.app, urls.platform, urls.worker])]
  const pooled = await Promise.all(addresses.map(changesConnection))
  if (!pooled.includes(true)) return
  throw new Error(
    'O banco de dados está atrás de um pooler em modo de transação (como o PgBouncer com pool_mode = transaction), que ' +
      'misturaria as empresas. Use pool_mode = session, ou o endereço do próprio PostgreSQL, em DATABASE_URL ' +
      '(e em APP_DATABASE_URL, PLATFORM_DATABASE_URL e WORKER_DATABASE_URL, se as usa).',
  )
}

// Runs transactions on one connection while another connection takes the one that the first left free.
async function changesConnection(connectionString: string): Promise<boolean> {
  const connect = async () => {
    const client = new pg.Client({ connectionString, connectionTimeoutMillis: ANSWER_MS, query_timeout: ANSWER_MS })
    client.on('error', () => {})
    await client.connect()
    return client
  }
  const [one, other] = await Promise.all([connect(), connect()])
  try {
    const mark = randomUUID()
    const look = async () => {
      const { rows } = await one.query("select pg_backend_pid() as pid, current_setting('app.mark', true) as mark")
      return `${rows[0].pid} ${rows[0].mark}`
    }
    await one.query("select set_config('app.mark', $1, false)", [mark])
    // Rotating poolers give another connection at once, others when another client has taken the last one.
    const seen = [await look(), await look()]
    await other.query('begin')
    await other.query('select 1')
    const second = look()
    const isInTime = await Promise.race([second.then(() => true), setTimeout(WAIT_MS, false, { ref: false })])
    // With a single pooled connection, the second transaction had to wait for it.
    await other.query('commit')
    seen.push(await second)
    return !isInTime || !firstOf(seen).endsWith(mark) || new Set(seen).size > 1
  } finally {
    await Promise.all([one.end(), other.end()])
  }
}
