import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { sql } from 'kysely'
import { demo } from '#db/demo/index.ts'
import type { DemoTenant } from '#db/demo/types.ts'
import { createApp } from '#server/app.ts'
import { ENCRYPTION_KEY } from '#server/db/installation.ts'
import { migrate } from '#server/db/migrate.ts'
import { databaseUrls } from '#server/db/roles.ts'
import { readEnv } from '#server/env.ts'
import { createLog } from '#server/log.ts'
import type { Platform } from '#server/platform.ts'
import { startEmbedded } from '#server/postgres/embedded.ts'
import { lockInstance } from '#server/postgres/instance-lock.ts'
import { loadSecrets } from '#server/secrets.ts'
import { seedTenant } from './seed-tenant.ts'

/** Fills an empty installation with the demo; false when it holds a company already. All of it or nothing. */
export async function seedDemo(platform: Platform): Promise<boolean> {
  const isEmpty = await platform.db.asPlatform(
    async (db) => !(await db.selectFrom('tenants').select('id').limit(1).executeTakeFirst()),
  )
  if (!isEmpty) return false
  await platform.db.asPlatform(async (db) => {
    for (const tenant of demo.tenants as readonly DemoTenant[]) await seedTenant(platform, db, tenant, demo.password)
    // What was set is the demo's to set; the id of the master key is not a setting.
    await sql`update installation set data = jsonb_strip_nulls(jsonb_build_object(${ENCRYPTION_KEY}::text, data->${ENCRYPTION_KEY}))`.execute(
      db,
    )
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
