import { mkdirSync, readdirSync } from 'node:fs'
import { basename, extname, join, resolve } from 'node:path'
import { sql } from 'kysely'
import { demo } from '#db/demo/index.ts'
import { type DemoPart, inOrder } from '#db/demo/part.ts'
import type { DemoTenant } from '#db/demo/types.ts'
import { createApp } from '#server/app.ts'
import type { Tx } from '#server/db/db.ts'
import { CHANGES, ENCRYPTION_KEY } from '#server/db/installation.ts'
import { migrate } from '#server/db/migrate.ts'
import { databaseUrls } from '#server/db/roles.ts'
import { readEnv } from '#server/env.ts'
import { createLog } from '#server/log.ts'
import type { Platform } from '#server/platform.ts'
import { startEmbedded } from '#server/postgres/embedded.ts'
import { lockInstance } from '#server/postgres/instance-lock.ts'
import { loadSecrets } from '#server/secrets.ts'
import { make } from '#test/make.ts'

// Beside this file, as source and as built (vite.server.config.ts).
const folder = join(import.meta.dirname, 'demo', 'parts')

/** Returns the demo part of each feature, by file name. */
async function partsOfFeatures(): Promise<Record<string, DemoPart>> {
  const files = readdirSync(folder).filter((file) => /\.[jt]s$/.test(file))
  const read = files.map(async (file) => {
    const { part } = (await import(join(folder, file))) as { part: DemoPart }
    return [basename(file, extname(file)), part] as const
  })
  return Object.fromEntries(await Promise.all(read))
}

async function seedCompany(platform: Platform, db: Tx, tenant: DemoTenant, parts: readonly DemoPart[]): Promise<void> {
  const tenantId = await make(platform, db).tenant(tenant.name)
  // Room for channels besides those of the demo, which people create when they try it.
  await db.updateTable('tenants').set({ max_users: 25, max_connections: 40 }).where('id', '=', tenantId).execute()
  await sql`select set_config('app.tenant_id', ${String(tenantId)}, true)`.execute(db)
  const ids = { users: new Map(), queues: new Map(), tags: new Map(), contacts: new Map() }
  for (const { seed } of parts) await seed({ platform, db, tenantId, tenant, password: demo.password, ids })
}

/**
 * Fills an empty installation with the demo, and with its `more` parts, in one transaction; returns false if a company
 * exists already.
 */
export async function seedDemo(platform: Platform, more: Readonly<Record<string, DemoPart>> = {}): Promise<boolean> {
  const parts = inOrder({ ...(await partsOfFeatures()), ...more })
  const isEmpty = await platform.db.asPlatform(
    async (db) => !(await db.selectFrom('tenants').select('id').limit(1).executeTakeFirst()),
  )
  if (!isEmpty) return false
  await platform.db.asPlatform(async (db) => {
    for (const tenant of demo.tenants) await seedCompany(platform, db, tenant, parts)
    // The demo may replace all settings; the id of the master key and the form of changes are no settings.
    await sql`update installation set data = jsonb_strip_nulls(jsonb_build_object(
      ${ENCRYPTION_KEY}::text, data->${ENCRYPTION_KEY}, ${CHANGES}::text, data->${CHANGES}))`.execute(db)
  })
  return true
}

async function main() {
  const env = readEnv()
  env.DATA_DIR = resolve(env.DATA_DIR)
  if (!process.argv.includes('--demo')) throw new Error('Diga o que semear: npm run seed -- --demo')
  mkdirSync(env.DATA_DIR, { recursive: true })
  const log = createLog(env)
  const ends: (() => unknown)[] = []
  try {
    const secrets = loadSecrets(env)
    let ownerUrl = env.DATABASE_URL
    if (!ownerUrl) {
      ends.push(lockInstance(env.DATA_DIR))
      const embedded = await startEmbedded({
        dataDir: env.DATA_DIR,
        log: { info: () => {}, error: (line) => log.error(line) },
      })
      ends.push(() => embedded.stop())
      ownerUrl = embedded.url
    }
    const urls = databaseUrls(ownerUrl, env, secrets)
    await migrate(urls, { secrets, rolePrefix: env.DB_ROLE_PREFIX })
    const app = await createApp({ env, urls, secrets, log })
    ends.push(() => app.close())
    if (!(await seedDemo(app.platform)))
      throw new Error('A instalação já tem empresas: a demonstração só entra numa instalação vazia.')
    console.log(`Demonstração criada. Entre com admin@demo.test e a senha ${demo.password}`)
  } finally {
    for (const end of ends.reverse()) await end()
  }
}

if (import.meta.filename === process.argv[1]) {
  await main().catch((error: Error) => {
    console.error(error.message)
    process.exitCode = 1
  })
}
