import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base } from '@playwright/test'
import { type App, createApp } from '#server/app.ts'
import { migrate } from '#server/db/migrate.ts'
import { databaseUrls } from '#server/db/roles.ts'
import { readEnv } from '#server/env.ts'
import { createLog } from '#server/log.ts'
import { startEmbedded } from '#server/postgres/embedded.ts'
import { secretsFrom } from '#server/secrets.ts'
import { make } from '#test/make.ts'

/** A product of its own on a PostgreSQL of its own; `localhost`, so that a page on 127.0.0.1 is another site. */
export type RunningProduct = { readonly app: App; readonly address: string }

/** `product`: one running product for all tests of a worker. */
export const test = base.extend<object, { product: RunningProduct }>({
  product: [
    // biome wants no empty pattern, Playwright reads the names of the fixtures out of it
    async ({ browserName: _ }, use) => {
      const dataDir = mkdtempSync(join(tmpdir(), 'guiche-browser-'))
      const quiet = { info: () => {}, error: console.error }
      const postgres = await startEmbedded({ dataDir, log: quiet, fsync: false, sharedBuffers: '64MB' })
      const secrets = secretsFrom(Buffer.alloc(32, 7))
      const env = readEnv({ DATA_DIR: dataDir, PORT: '0', DB_POOL: '8', RATE_LIMITS: 'false', LOG_LEVEL: 'fatal' })
      const urls = databaseUrls(postgres.url, env, secrets)
      await migrate(urls, { secrets, rolePrefix: env.DB_ROLE_PREFIX })
      const app = await createApp({ env, urls, secrets, log: createLog(env) })
      const address = (await app.listen()).replace('127.0.0.1', 'localhost')
      await use({ app, address })
      await app.close()
      await postgres.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
    { scope: 'worker', timeout: 60_000 },
  ],
})

/** A company with an administrator; `ask` calls the API as that person and fails on a refusal. */
export async function company({ app, address }: RunningProduct) {
  const made = make(app.platform)
  const tenantId = await made.tenant()
  const admin = await made.user(tenantId, { profile: 'admin', name: 'Ana Souza' })
  const token = await made.token(admin)
  const ask = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const reply = await fetch(`${address}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`)
    return (await reply.json()) as T
  }
  return { tenantId, admin, token, ask }
}
