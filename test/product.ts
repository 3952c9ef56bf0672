import { AsyncResource } from 'node:async_hooks'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { z } from 'zod'
import { seedDemo } from '#db/seed.ts'
import { pathOf, queryString } from '#kit/addresses.ts'
import type { CallInput, Operation } from '#kit/contract.ts'
import { type App, createApp } from '#server/app.ts'
import { migrate } from '#server/db/migrate.ts'
import { databaseUrls } from '#server/db/roles.ts'
import { type Env, readEnv } from '#server/env.ts'
import type { Feature } from '#server/feature.ts'
import { createLog, type Log } from '#server/log.ts'
import type { Platform } from '#server/platform.ts'
import { type Secrets, secretsFrom } from '#server/secrets.ts'
import { clockShiftMs } from './setup/clock.ts'

/** The master key of every test. */
export const testSecrets = secretsFrom(Buffer.alloc(32, 7))

const MIGRATED = 'guiche_template'
const DEMO = 'guiche_demo'

/** Creates a separate database, cloned from the migrated template; returns the owner's URL. */
export const createDatabase = (postgresUrl: string): Promise<string> =>
  asAdmin(postgresUrl, async (admin) => {
    await makeOnce(admin, MIGRATED, async () => {
      const url = withDatabase(postgresUrl, await create(admin, 'template0'))
      await moveClock(url)
      await migrate(databaseUrls(url, { DB_ROLE_PREFIX: 'guiche' }, testSecrets), {
        secrets: testSecrets,
        rolePrefix: 'guiche',
      })
      await demandClock(url)
      return url
    })
    return withDatabase(postgresUrl, await create(admin, MIGRATED))
  })

/**
 * Starts a product with the demo: database and files are cloned from a template that the first caller fills on this server;
 * its files are in `folder` of the run.
 */
export async function startDemo({ url, folder }: TestServer, options: TestOptions = {}): Promise<Product> {
  const files = join(folder, 'demo')
  const database = await asAdmin(url, async (admin) => {
    await makeOnce(admin, DEMO, async () => {
      const product = await startProduct(await createDatabase(url))
      await seedDemo(product.platform)
      cpSync(join(product.platform.env.DATA_DIR, 'files'), files, { recursive: true })
      await product.close()
      return product.ownerUrl
    })
    return create(admin, DEMO)
  })
  return startProduct(withDatabase(url, database), options, files)
}

/** PostgreSQL of a test run as its superuser, and a folder that is deleted with it. */
export type TestServer = { url: string; folder: string }

async function asAdmin<T>(postgresUrl: string, work: (admin: pg.Client) => Promise<T>): Promise<T> {
  const admin = new pg.Client({ connectionString: postgresUrl })
  await admin.connect()
  try {
    return await work(admin)
  } finally {
    await admin.end()
  }
}

/** Creates a template database unless it exists; until it is filled it has another name. */
async function makeOnce(admin: pg.Client, template: string, make: () => Promise<string>): Promise<void> {
  await admin.query('select pg_advisory_lock(hashtext($1))', [template])
  const { rowCount } = await admin.query('select from pg_database where datname = $1', [template])
  if (!rowCount) {
    const made = new URL(await make()).pathname.slice(1)
    await admin.query(`alter database ${made} rename to ${template}`)
    await admin.query(`alter database ${template} is_template true`)
  }
  await admin.query('select pg_advisory_unlock(hashtext($1))', [template])
}

async function create(admin: pg.Client, template: string): Promise<string> {
  const name = `t_${process.pid}_${Math.random().toString(36).slice(2, 10)}`
  await admin.query(`create database ${name} template ${template}`)
  await admin.query(clockFirst(name))
  return name
}

// On a moved day (test/setup/clock.ts) the database's clock moves too: now() is looked up in a schema of the tests first, in
// column defaults as in statements.
const clockFirst = (name: string): string =>
  clockShiftMs === 0 ? 'select' : `alter database ${name} set search_path = public, clock, pg_catalog`

async function moveClock(url: string): Promise<void> {
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
  } finally {
    await database.end()
  }
}

// Code of the product has to give the time: a statement outside of a transaction that would read the database's clock fails
// in every test. The owner, who only prepares the tests, is exempt.
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

async function migrateMore(url: string, migration: string): Promise<void> {
  const owner = new pg.Client({ connectionString: url })
  await owner.connect()
  await owner.query(migration).finally(() => owner.end())
}

const withDatabase = (url: string, name: string): string => {
  const made = new URL(url)
  made.pathname = `/${name}`
  return made.href
}

/** Options of a product started by a test. */
export type TestOptions = {
  env?: Partial<Env>
  now?: () => Date
  checkpoint?: Platform['checkpoint']
  log?: Log
  secrets?: Secrets
  /** Interval of checked responses, as in operation; by default each is checked, and a wrong one fails. */
  every?: number
  /** A feature that the product does not have, with its migration. */
  more?: { feature: Feature; migration: string }
}

/**
 * Starts a product on a migrated database (the owner's URL), with copies of `files`, on a free port; `TEST_DB_POOL` sets the
 * size of its pools. A unit of work that requests a second client fails, and so does a response that differs from its
 * contract; `close` then fails too, even if the error was caught.
 */
export async function startProduct(url: string, options: TestOptions = {}, files?: string): Promise<Product> {
  const dataDir = mkdtempSync(join(tmpdir(), 'guiche-data-'))
  if (files) cpSync(files, join(dataDir, 'files'), { recursive: true })
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
  const faults: Error[] = []
  const failWith = (error: Error) => {
    faults.push(error)
    throw error
  }
  if (options.more) await migrateMore(url, options.more.migration)
  const app = await createApp({
    env,
    urls: databaseUrls(url, env, testSecrets),
    secrets: options.secrets ?? testSecrets,
    log: options.log ?? createLog(env),
    onSecondClient: failWith,
    answers: options.every ? { every: options.every } : { every: 1, onUnlike: failWith },
    ...(options.now ? { now: options.now } : {}),
    ...(options.more ? { more: [options.more.feature] } : {}),
    // A test's work at a checkpoint does not belong to the unit of work that contains the checkpoint.
    ...(options.checkpoint ? { checkpoint: AsyncResource.bind(options.checkpoint) } : {}),
  })
  const address = (await app.listen()).replace('[::1]', 'localhost')
  const check = () => {
    const [fault] = faults.splice(0)
    if (fault) throw fault
  }
  return {
    app,
    platform: app.platform,
    address,
    ownerUrl: url,
    async close() {
      await app.close()
      rmSync(dataDir, { recursive: true, force: true })
      check()
    },
    check,
  }
}

/** A running product of a test. */
export type Product = {
  app: App
  platform: Platform
  address: string
  ownerUrl: string
  close(): Promise<void>
  /** Throws the first error since the last check, even if it was caught. */
  check(): void
}

/** HTTP response. */
export type Reply<T = unknown> = { status: number; body: T; headers: Headers }

/**
 * Body of an operation's response: what its contract returns and, if refused, the fields of an error. For an operation
 * unknown to the compiler it is untyped.
 */
export type Answered<O> = O extends { readonly returns: infer R extends z.ZodType }
  ? unknown extends z.output<R>
    ? // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects.
      any
    : z.output<R> & Refused
  : never
type Refused = {
  readonly error?: string
  readonly message?: string
  readonly details?: Readonly<Record<string, unknown>>
}

/** Calls an operation over HTTP as a browser would; `token` null asks without one. */
export async function call<O extends Operation>(
  product: Pick<Product, 'address'>,
  op: O,
  token: string | null,
  input: Partial<CallInput<O>> & { headers?: Record<string, string> } = {},
): Promise<Reply<Answered<O>>> {
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
  return { status: response.status, body: isJson ? JSON.parse(text) : text, headers: response.headers }
}
