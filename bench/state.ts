import { createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Product } from '#test/product.ts'
import { type Counters, countQueries, databaseCounters, postgresCpu } from './counters.ts'
import type { BenchTenant } from './data.ts'
import type { Measure } from './loop.ts'

/** Request of `bench/compare.ts` to a process that runs this file. */
export type Question = { ask: 'run'; key: string } | { ask: 'counters' } | { ask: 'refresh' } | { ask: 'end' }
/** First message of the process: the product is ready, or the reason why this driver cannot be loaded in that state. */
export type Ready = { tenant: BenchTenant; address: string } | { unloadable: string }

/** Workloads measured within the product's process; HTTP requests are measured from outside. */
const inProcess: Record<string, (product: Product, tenant: BenchTenant) => Promise<Measure>> = {
  ingest1: async ({ platform }, tenant) => (await import('./realtime.ts')).measureIngest(platform, tenant, 1),
  ingest16: async ({ platform }, tenant) => (await import('./realtime.ts')).measureIngest(platform, tenant, 16),
  delay: async (product, tenant) => (await import('./realtime.ts')).measureDelay(product, tenant, 250, 4),
}
export const keysInProcess = Object.keys(inProcess)

if (import.meta.main) {
  const answer = (message: unknown) => process.send!(message)
  const loaded = await load().catch((error: Error & { code?: string }) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND' && !(error instanceof SyntaxError)) throw error
    answer({ unloadable: error.message } satisfies Ready)
    process.exit()
  })
  await serve(loaded, Number(process.argv[2]), answer)
  process.exit()
}

async function load() {
  const [{ fill }, { asOwner, migrateFor }, limits, { createLog }, { testChannel }, { startProduct }] =
    await Promise.all([
      import('./data.ts'),
      import('./database.ts'),
      import('#server/http/rate-limits.ts'),
      import('#server/log.ts'),
      import('#test/peers/channel.ts'),
      import('#test/product.ts'),
      import('./realtime.ts'),
    ])
  return { fill, asOwner, migrateFor, limitRules: limits.limitRules, createLog, testChannel, startProduct }
}

async function serve(
  { fill, asOwner, migrateFor, limitRules, createLog, testChannel, startProduct }: Awaited<ReturnType<typeof load>>,
  size: number,
  answer: (message: unknown) => void,
): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'guiche-bench-'))
  // Statements are counted by an extension that a server loads when it starts.
  const plain = await migrateFor(dataDir)
  await asOwner(superuser(plain.url), async (client) => {
    await client.query("alter system set shared_preload_libraries = 'pg_stat_statements'")
    await client.query('create extension pg_stat_statements')
  })
  await plain.stop()
  const database = await migrateFor(dataDir)
  const queries = countQueries()
  for (const rule of Object.values(limitRules)) Object.assign(rule, { points: 1e9 })
  const product = await startProduct(database.url, {
    env: { DATA_DIR: dataDir, DB_POOL: 16, RATE_LIMITS: true },
    log: createLog({ LOG_LEVEL: 'info' }, createWriteStream(join(dataDir, 'log'))),
    every: 50,
  })
  try {
    testChannel(product.platform)
    const tenant = await fill(product, database.url, size)
    const postmaster = Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])
    const postgres = postgresCpu(postmaster)
    await asOwner(database.url, async (owner) => {
      const counters = async (): Promise<Counters> => {
        const { user, system } = process.cpuUsage()
        return {
          node: (user + system) / 1000,
          postgres: postgres(),
          ...queries(),
          ...(await databaseCounters(owner)),
        }
      }
      const work = {
        run: (key: string) => inProcess[key]!(product, tenant),
        counters,
        refresh: async () => {
          await owner.query('vacuum analyze')
          await owner.query('checkpoint')
        },
      }
      answer({ tenant, address: product.address } satisfies Ready)
      for await (const question of questions()) {
        if (question.ask === 'end') return
        answer((await (question.ask === 'run' ? work.run(question.key) : work[question.ask]())) ?? true)
      }
    })
  } finally {
    await product.close()
    await database.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

// The embedded server's superuser has its owner's password.
function superuser(ownerUrl: string): string {
  const url = new URL(ownerUrl)
  url.username = 'postgres'
  return url.href
}

async function* questions(): AsyncGenerator<Question> {
  for (;;)
    yield await new Promise<Question>((resolve) => process.once('message', (question) => resolve(question as Question)))
}
