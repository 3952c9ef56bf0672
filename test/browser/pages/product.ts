import { randomUUID } from 'node:crypto'
import { test as base, expect } from '@playwright/test'
import { demo as demoContent } from '#db/demo/index.ts'
import type { Profile } from '#domain/access/profiles.ts'
import { make } from '#test/make.ts'
import {
  createDatabase,
  type Product,
  startDemo,
  startProduct,
  type TestOptions,
  type TestServer,
} from '#test/product.ts'

/** The product's address is `localhost`, so that a page on 127.0.0.1 is another site. */
const onLocalhost = (product: Product): Product => ({
  ...product,
  address: product.address.replace('127.0.0.1', 'localhost'),
})

type OfWorker = {
  /** The PostgreSQL of the run. */
  server: TestServer
  /** One running product for all tests of a worker; each test creates companies in it. */
  product: Product
  /** A product with the demo, which tests only look at; its people are in `demoPeople`. */
  demo: Product
}

type OfTest = {
  /** Starts another product on an empty database, for tests of a whole installation; ended after the test. */
  anotherProduct: (options?: TestOptions) => Promise<Product>
}

/** Playwright's `test` with a running product. */
export const test = base.extend<OfTest, OfWorker>({
  server: [
    // biome wants no empty pattern, Playwright reads the names of the fixtures out of it
    async ({ browserName: _ }, use) => {
      await use({ url: process.env['BROWSER_POSTGRES']!, folder: process.env['BROWSER_FOLDER']! })
    },
    { scope: 'worker' },
  ],
  product: [
    async ({ server }, use) => {
      const product = await startProduct(await createDatabase(server.url))
      await use(onLocalhost(product))
      await product.close()
    },
    { scope: 'worker', timeout: 240_000 },
  ],
  demo: [
    async ({ server }, use) => {
      const product = await startDemo(server)
      await use(onLocalhost(product))
      await product.close()
    },
    { scope: 'worker', timeout: 240_000 },
  ],
  anotherProduct: async ({ server }, use) => {
    const started: Product[] = []
    await use(async (options) => {
      const product = await startProduct(await createDatabase(server.url), options)
      started.push(product)
      return onLocalhost(product)
    })
    for (const product of started) await product.close()
  },
})

const inDemo = (email: string) => ({ email, password: demoContent.password })

/** Person of the demo's first company for each role. */
export const demoPeople: Record<Profile, { email: string; password: string }> = {
  superadmin: inDemo('superadmin@demo.test'),
  admin: inDemo('admin@demo.test'),
  super: inDemo('supervisor@demo.test'),
  user: inDemo('ana@demo.test'),
}

/**
 * Creates a company with an administrator; `ask` calls the API as that person and fails on a refusal, `accept` accepts the
 * only live ticket as soon as there is one, `say` answers in it.
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
      platform.db.read(tenantId, (tenant) =>
        tenant.selectFrom('tickets').select('id').where('status', '<>', 'closed').executeTakeFirst(),
      )
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
