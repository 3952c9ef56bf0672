import { AsyncResource } from 'node:async_hooks'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { CallInput, Operation } from '#kit/contract.ts'
import { pathOf, queryString } from '#kit/contract.ts'
import { type App, createApp } from '#server/app.ts'
import { migrate } from '#server/db/migrate.ts'
import { databaseUrls } from '#server/db/roles.ts'
import { type Env, readEnv } from '#server/env.ts'
import { createLog, type Log } from '#server/log.ts'
import type { Platform } from '#server/platform.ts'
import { type Secrets, secretsFrom } from '#server/secrets.ts'
import { clockShiftMs } from './setup/clock.ts'

/** The master key of every test. */
export const testSecrets = secretsFrom(Buffer.alloc(32, 7))

const TEMPLATE = 'guiche_template'

/** A database of its own, cloned from the migrated template; answers the owner's address. */
export async function createDatabase(postgresUrl: string): Promise<string> {
  const admin = new pg.Client({ connectionString: postgresUrl })
  await admin.connect()
  try {
    await admin.query('select pg_advisory_lock(4711)')
    const { rowCount } = await admin.query('select from pg_database where datname = $1 and datistemplate', [TEMPLATE])
    if (!rowCount) {
      await admin.query(`drop database if exists ${TEMPLATE}`)
      await admin.query(`create database ${TEMPLATE}`)
      const template = withDatabase(postgresUrl, TEMPLATE)
      await moveClock(template, TEMPLATE)
      await migrate(databaseUrls(template, { DB_ROLE_PREFIX: 'guiche' }, testSecrets), {
        secrets: testSecrets,
        rolePrefix: 'guiche',
      })
      await demandClock(template)
      await admin.query(`alter database ${TEMPLATE} is_template true`)
    }
    const name = `t_${process.pid}_${Math.random().toString(36).slice(2, 10)}`
    await admin.query(`create database ${name} template ${TEMPLATE}`)
    await admin.query(clockFirst(name))
    return withDatabase(postgresUrl, name)
  } finally {
    await admin.end()
  }
}

// On a moved day (test/setup/clock.ts) the database's clock moves too: what is called now() is looked up in a schema of
// ours first, in its columns' defaults as in our statements.
const clockFirst = (name: string): string =>
  clockShiftMs === 0 ? 'select' : `alter database ${name} set search_path = public, clock, pg_catalog`

async function moveClock(url: string, name: string): Promise<void> {
  if (clockShiftMs === 0) return
  const database = new pg.Client({ connectionString: url })
  await database.connect()
  const functions = ['now', 'clock_timestamp', 'statement_timestamp', 'transaction_timestamp'].map(
    (clock) => `create function clock.${clock}() returns timestamptz language sql
      ${clock === 'clock_timestamp' ? 'volatile' : 'stable'} parallel safe
      as $$ select pg_catalog.${clock}() + interval '${clockShiftMs} milliseconds' $$;`,
  )
  try {
    await database.query(`create schema clock; grant usage on schema clock to public; ${functions.join('\n')}`)
    await database.query(clockFirst(name))
  } finally {
    await database.end()
  }
}

// Whoever works for the product has to say what time it is: a statement outside of a transaction that would get the
// database's clock fails in every test. The owner, who only prepares what is tested, need not.
async function demandClock(url: string): Promise<void> {
  const database = new pg.Client({ connectionString: url })
  await database.connect()
  try {
    await database.query(`create or replace function app.now() returns timestamptz language sql stable parallel safe as $$
      select case when session_user ~ '^guiche_' then current_setting('app.now')::timestamptz else now() end $$`)
  } finally {
    await database.end()
  }
}

const withDatabase = (url: string, name: string): string => {
  const made = new URL(url)
  made.pathname = `/${name}`
  return made.href
}

/** What a test may change about the product that it starts. */
export type TestOptions = {
  env?: Partial<Env>
  now?: () => Date
  checkpoint?: Platform['checkpoint']
  log?: Log
  secrets?: Secrets
}

/**
 * A product on a migrated database (the owner's address), listening on a free port; `TEST_DB_POOL` sets the size of its
 * pools. A unit of work that asks for a second client fails, and so does `close` then, whoever caught the error.
 */
export async function startProduct(url: string, options: TestOptions = {}): Promise<Product> {
  const dataDir = mkdtempSync(join(tmpdir(), 'guiche-data-'))
  const env: Env = {
    ...readEnv({
      DATA_DIR: dataDir,
      PORT: '0',
      DB_POOL: process.env['TEST_DB_POOL'] ?? '8',
      RATE_LIMITS: 'false',
      LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'fatal',
      WEB_DIST: process.env['WEB_DIST'],
    }),
    ...options.env,
  }
  const secondClients: Error[] = []
  const app = await createApp({
    env,
    urls: databaseUrls(url, env, testSecrets),
    secrets: options.secrets ?? testSecrets,
    log: options.log ?? createLog(env),
    onSecondClient(error) {
      secondClients.push(error)
      throw error
    },
    ...(options.now ? { now: options.now } : {}),
    // What a test does at such a point is somebody else's work, not that of the unit in which it stands.
    ...(options.checkpoint ? { checkpoint: AsyncResource.bind(options.checkpoint) } : {}),
  })
  const address = (await app.listen()).replace('[::1]', 'localhost')
  return {
    app,
    platform: app.platform,
    address,
    ownerUrl: url,
    async close() {
      await app.close()
      rmSync(dataDir, { recursive: true, force: true })
      if (secondClients.length > 0) throw secondClients[0]
    },
  }
}

/** A running product of a test. */
export type Product = { app: App; platform: Platform; address: string; ownerUrl: string; close(): Promise<void> }

/** What came back over HTTP. */
export type Reply<T = unknown> = { status: number; body: T; headers: Headers }

/** Calls an operation over HTTP as a browser would; `token` null asks without one. */
export async function call<O extends Operation>(
  product: Pick<Product, 'address'>,
  op: O,
  token: string | null,
  input: Partial<CallInput<O>> & { headers?: Record<string, string> } = {},
): Promise<Reply<never>> {
  const { params, query, body, headers } = input as {
    params?: Record<string, unknown>
    query?: Record<string, unknown>
    body?: unknown
    headers?: Record<string, string>
  }
  const response = await fetch(`${product.address}/api${pathOf(op.path, params)}${queryString(query)}`, {
    method: op.method,
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json')
  return { status: response.status, body: (isJson ? JSON.parse(text) : text) as never, headers: response.headers }
}
