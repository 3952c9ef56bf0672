import { migrate } from '#server/db/migrate.ts'
import { databaseUrls } from '#server/db/roles.ts'
import { startEmbedded } from '#server/postgres/embedded.ts'
import { testSecrets } from '#test/product.ts'

/** A durable (fsync on) embedded PostgreSQL with the current schema. */
export async function migrateFor(dataDir: string): Promise<{ url: string; stop(): Promise<void> }> {
  const embedded = await startEmbedded({
    dataDir,
    log: { info: () => {}, error: console.error },
    sharedBuffers: '512MB',
  })
  await migrate(databaseUrls(embedded.url, { DB_ROLE_PREFIX: 'guiche' }, testSecrets), {
    secrets: testSecrets,
    rolePrefix: 'guiche',
  })
  return { url: embedded.url, stop: () => embedded.stop() }
}
