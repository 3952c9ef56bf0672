import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, expect } from '@playwright/test'
import { demo as demoContent } from '#db/demo/index.ts'
import { seedDemo } from '#db/seed.ts'
import type { Profile } from '#domain/access/profiles.ts'
import { startEmbedded } from '#server/postgres/embedded.ts'
import { make } from '#test/make.ts'
import { createDatabase, type Product, startProduct, type TestOptions } from '#test/product.ts'

/** The product's address is `localhost`, so that a page on 127.0.0.1 is another site. */
const onLocalhost = (product: Product): Product => ({
  ...product,
  address: product.address.replace('127.0.0.1', 'localhost'),
})

type OfWorker = {
  /** The owner's address of the worker's own PostgreSQL. */
  postgres: string
  /** One running product for all tests of a worker; each test makes companies of its own in it. */
  product: Product
  /** A product with the demo, which tests only look at; its people are in `demoPeople`. */
  demo: Product
}

type OfTest = {
  /** Another product on an empty database, for what concerns a whole installation; ended after the test. */
  anotherProduct: (options?: TestOptions) => Promise<Product>
}

/** Playwright's `test` with a running product. */
export const test = base.extend<OfTest, OfWorker>({
  postgres: [
    // biome wants no empty pattern, Playwright reads the names of the fixtures out of it
    async ({ browserName: _ }, use) => {
      const dataDir = mkdtempSync(join(tmpdir(), 'guiche-browser-'))
      const quiet = { info: () => {}, error: console.error }
      const server = await startEmbedded({ dataDir, log: quiet, fsync: false, sharedBuffers: '64MB' })
      await use(server.url)
      await server.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  product: [
    async ({ postgres }, use) => {
      const product = await startProduct(await createDatabase(postgres))
      await use(onLocalhost(product))
      await product.close()
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  demo: [
    async ({ postgres }, use) => {
      const product = await startProduct(await createDatabase(postgres))
      await seedDemo(product.platform)
      await use(onLocalhost(product))
      await product.close()
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  anotherProduct: async ({ postgres }, use) => {
    const started: Product[] = []
    await use(async (options) => {
      const product = await startProduct(await createDatabase(postgres), options)
      started.push(product)
      return onLocalhost(product)
    })
    for (const product of started) await product.close()
  },
})

const inDemo = (email: string) => ({ email, password: demoContent.password })

/** Who of the demo's first company stands for a role. */
export const demoPeople: Record<Profile, { email: string; password: string }> = {
  superadmin: inDemo('superadmin@demo.test'),
  admin: inDemo('admin@demo.test'),
  super: inDemo('supervisor@demo.test'),
  user: inDemo('ana@demo.test'),
}

/**
 * A company with an administrator; `ask` calls the API as that person and fails on a refusal, `accept` takes the only
 * ticket as soon as there is one, `say` answers in it.
 */
export async function company({ platform, address }: Product) {
  const made = make(platform)
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
  const accept = async (): Promise<number> => {
    const find = () =>
      platform.db.read(tenantId, (tenant) => tenant.selectFrom('tickets').select('id').executeTakeFirst())
    await expect.poll(find).toBeTruthy()
    const { id } = (await find())!
    await platform.db.write(tenantId, (tenant) =>
      tenant.updateTable('tickets').set({ status: 'open', user_id: admin.id }).where('id', '=', id).execute(),
    )
    return id
  }
  const say = (ticketId: number, body: string) =>
    ask('POST', `/messages/${ticketId}`, { idFront: randomUUID(), body, isNote: false })
  return { made, tenantId, admin, token, ask, accept, say }
}
