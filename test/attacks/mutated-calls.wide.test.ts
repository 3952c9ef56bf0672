import { createHash, createHmac } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connections } from '#features/connections/contract.ts'
import { providers } from '#features/connections/providers-contract.ts'
import { randomOf } from '#test/chaos/random.ts'
import { make } from '#test/make.ts'
import { call, withProduct } from '#test/server.ts'
import { mutated } from './mutations.ts'
import { type Attacked, attacked, type Called, requestOf } from './provider-calls.ts'

/** Number of calls per provider, and of concurrent ones. */
const CALLS = 20_000
const AT_ONCE = 8
/** Time-out of the calls of one provider on a busy machine, in ms. */
const MOST_MS = 3_600_000
const product = withProduct({ env: { PUBLIC_URL: 'https://guiche.example', OUTBOUND_ALLOW: [] } })
let owner: pg.Pool
beforeAll(() => {
  owner = new pg.Pool({ connectionString: product().ownerUrl, max: 2 })
})
afterAll(() => owner.end())

/** Creates a company with a running connection at a provider; returns its webhook. */
async function connected({ channel, type, settings, values }: Attacked): Promise<{ door: Called; path: string }> {
  const m = make(product().platform)
  const tenantId = await m.tenant()
  const token = await m.token(await m.user(tenantId, { profile: 'admin' }))
  const saved = Object.keys(settings).length
    ? await call(product(), providers.save, token, { params: { id: channel }, body: settings } as never)
    : null
  if (saved && saved.status !== 200) throw new Error(JSON.stringify(saved.body))
  const made = await call(product(), connections.create, token, {
    body: { type, name: 'Empório', config: values } as never,
  })
  if (made.status !== 200) throw new Error(JSON.stringify(made.body))
  const { id } = made.body
  await owner.query("update connections set status = 'CONNECTED' where id = $1", [id])
  const { webhookUrl } = (await call(product(), connections.get, token, { params: { id } })).body
  const ofApp = (saved?.body as { webhookUrl?: string } | undefined)?.webhookUrl
  const url = channel === 'meta' ? ofApp! : webhookUrl!
  const path = url.slice(url.lastIndexOf('/') + 1)
  const derived = (what: string) => createHmac('sha256', path).update(what).digest('hex')
  const door = {
    url: `https://guiche.example/api/hooks/${path}`,
    name: `guiche-${derived('name').slice(0, 16)}`,
    secret: derived('secret'),
  }
  return { door, path }
}

const seedOf = (name: string): number => createHash('sha256').update(`wide ${name}`).digest().readUInt32BE()

test.each(Object.entries(attacked))(
  '%s: no call of its stops the product',
  async (name, provider) => {
    const { door, path } = await connected(provider)
    const address = `${product().address}/api/hooks/${path}`
    const random = randomOf(seedOf(name))
    const answers = new Map<number, number>()
    async function tell(given: unknown): Promise<void> {
      const { body, headers } = requestOf(provider, given, door)
      for (;;) {
        const answer = await fetch(address, { method: 'POST', body: body as never, headers: headers as never })
        await answer.body?.cancel()
        // Asked to come back later, a provider does.
        if (answer.status !== 503) {
          answers.set(answer.status, (answers.get(answer.status) ?? 0) + 1)
          return
        }
        await setTimeout(1000)
      }
    }
    const isWell = async () => (await fetch(`${product().address}/health`)).status === 200

    for (const one of provider.calls) await tell(one)
    expect([...answers.keys()]).toEqual([200])
    for (let told = 0; told < CALLS; told += AT_ONCE) {
      await Promise.all(Array.from({ length: AT_ONCE }, () => tell(mutated(random.of(provider.calls), random))))
      if (told % 1000 === 0) expect(await isWell()).toBe(true)
    }
    expect([...answers.keys()].filter((status) => status >= 500)).toEqual([])
    expect(answers.get(200)).toBeGreaterThan(CALLS / 4)
    expect(await isWell()).toBe(true)
  },
  MOST_MS,
)
