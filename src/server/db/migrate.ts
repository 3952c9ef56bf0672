import { readdirSync, readFileSync } from 'node:fs'
import { runMigrations } from 'graphile-worker'
import pg from 'pg'
import { firstOf } from '#domain/present.ts'
import { refuseUnfinishedTables } from '../backup/unfinished.ts'
import { checkout } from '../checkout.ts'
import type { Secrets } from '../secrets.ts'
import { ENCRYPTION_KEY, otherKeyProblem } from './installation.ts'
import { type DatabaseUrls, rolePassword } from './roles.ts'

const folder = new URL('db/migrations/', checkout)
const LOCK = 7_204_301

/** Returns the names of this version's migrations, in their order. */
export const listMigrations = (): string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()

/** Result of a migration. */
export type MigrationStep = { name: string; ms: number }

/**
 * Migrates the database to this version: plain SQL files in order, each in one transaction with its record, under an
 * advisory lock, forward only (decision B29). After a crash the next run continues after the last commit. A restore first
 * applies `only` the migrations of its backup.
 */
export async function migrate(
  urls: DatabaseUrls,
  options: {
    secrets: Secrets
    rolePrefix: string
    onStep?: (step: MigrationStep) => void
    isRestore?: boolean
    only?: readonly string[]
  },
): Promise<MigrationStep[]> {
  const client = new pg.Client({ connectionString: urls.owner })
  await client.connect()
  const steps: MigrationStep[] = []
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK])
    const { rows: tables } = await client.query<{ name: string }>(
      "select tablename as name from pg_tables where schemaname = 'public'",
    )
    const names = tables.map(({ name }) => name)
    if (!options.isRestore) refuseUnfinishedTables(names)
    if (names.includes('installation')) await refuseOtherKey(client, options.secrets)
    await client.query(
      'create table if not exists schema_migrations (name text primary key, at timestamptz not null default now())',
    )
    const { rows } = await client.query<{ name: string }>('select name from schema_migrations')
    const applied = new Set(rows.map((row) => row.name))
    for (const name of listMigrations()) {
      if (applied.has(name) || options.only?.includes(name) === false) continue
      const started = performance.now()
      const sql = readFileSync(new URL(name, folder), 'utf8').replaceAll('guiche_', `${options.rolePrefix}_`)
      await inTransaction(client, async () => {
        await client.query(sql)
        await client.query('insert into schema_migrations (name) values ($1)', [name])
      })
      const step = { name, ms: Math.round(performance.now() - started) }
      steps.push(step)
      options.onStep?.(step)
    }
    await openRoles(client, urls, options)
    await migrateJobs(client, urls.worker, options.rolePrefix)
  } finally {
    await client.end()
  }
  return steps
}

// Roles get passwords derived from the master key: another key would lock out processes with the right one.
async function refuseOtherKey(client: pg.Client, secrets: Secrets): Promise<void> {
  const { rows } = await client.query<{ id: string | null }>('select data->$1->>$2 as id from installation', [
    ENCRYPTION_KEY,
    'id',
  ])
  const id = rows[0]?.id
  if (id && id !== secrets.keyId) throw new Error(otherKeyProblem(id, secrets.keyId))
}

// The job queue's own migrations run as its role, which may make its schema only for this moment.
async function migrateJobs(client: pg.Client, workerUrl: string, rolePrefix: string) {
  const grant = async (sql: string) => {
    const { rows } = await client.query<{ sql: string }>('select format($1, current_database(), $2::text) as sql', [
      sql,
      `${rolePrefix}_worker`,
    ])
    await client.query(firstOf(rows).sql)
  }
  const pool = new pg.Pool({ connectionString: workerUrl, max: 1 })
  pool.on('error', () => {}) // an idle connection that is lost after the work is done does not matter
  pool.on('connect', (connection) => {
    connection.on('error', () => {})
    void connection.query('set lock_timeout = 0; set statement_timeout = 0').catch(() => {})
  })
  await grant('grant create on database %I to %I')
  try {
    await runMigrations({ pgPool: pool })
  } finally {
    await pool.end()
    await grant('revoke create on database %I from %I')
  }
}

// Roles made by a migration cannot log in yet; those named by their own address keep their own passwords.
async function openRoles(client: pg.Client, urls: DatabaseUrls, options: { secrets: Secrets; rolePrefix: string }) {
  for (const role of ['app', 'platform', 'worker'] as const) {
    const password = rolePassword(options.secrets, role)
    if (new URL(urls[role]).password !== password) continue
    const name = `${options.rolePrefix}_${role}`
    const { rows } = await client.query<{ sql: string }>(
      'select format($f$alter role %I login password %L$f$, $1::text, $2::text) as sql',
      [name, password],
    )
    await client.query(firstOf(rows).sql)
  }
}

async function inTransaction(client: pg.Client, work: () => Promise<void>) {
  await client.query('begin')
  try {
    await work()
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}
