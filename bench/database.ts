import pg from 'pg'
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

/** Work on a connection of the database's owner. */
export async function asOwner<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
