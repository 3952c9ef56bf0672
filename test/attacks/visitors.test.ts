import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { type WebchatChannel, webchat, webchatChannels } from '#features/webchat/contract.ts'
import { make } from '#test/make.ts'
import { call, type Product, startProduct, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'

const product = withProduct()
let tenantId: number
let channel: WebchatChannel

async function makeChannel(on: Product) {
  const made = make(on.platform)
  const tenantId = await made.tenant()
  const token = await made.token(await made.user(tenantId, { profile: 'admin' }))
  const look = { title: 'a', welcome: '', away: '', color: null, position: 'left', theme: 'auto' } as const
  const body = { name: 'Site', queueId: null, look, domains: [], requiresProof: false }
  return { tenantId, channel: (await call(on, webchatChannels.create, token, { body })).body }
}

beforeAll(async () => {
  ;({ tenantId, channel } = await makeChannel(product()))
})

const open = (more: object = {}, on: Product = product(), token = channel.token) =>
  call(on, webchat.session, null, { body: { token, ...more } })
const visit = async (more: object = {}): Promise<string> => (await open(more)).body.visitorToken
const write = (visitor: string, text: string) =>
  call(product(), webchat.send, visitor, { body: { idFront: randomUUID(), text } })
const bodies = async (visitor: string, query: object = {}) =>
  (await call(product(), webchat.list, visitor, { query })).body.messages

describe('a visitor', () => {
  it('reaches one conversation with one token, and nothing of the product', async () => {
    const [mine, theirs] = [await visit(), await visit()]
    await write(theirs, 'só entre nós')
    await until(async () => (await bodies(theirs)).length === 1)
    const [secret] = await bodies(theirs)
    expect(await bodies(mine)).toEqual([])
    expect(await bodies(mine, { before: secret!.id })).toEqual([])
    expect((await call(product(), webchat.read, mine, { body: { upTo: secret!.id } })).status).toBe(200)
    for (const path of ['/tickets', '/contacts', '/changes', '/users', '/webchat/channels']) {
      const reply = await fetch(`${product().address}/api${path}`, { headers: { authorization: `Bearer ${mine}` } })
      expect([path, reply.status]).toEqual([path, 401])
    }
    for (const token of ['', 'x', 'x'.repeat(200), `${mine}x`, channel.token, "' or 1=1 --"])
      expect((await call(product(), webchat.list, token)).status).toBe(401)
  })

  it('cannot fill a contact without end', async () => {
    const visitorToken = await visit()
    await write(visitorToken, 'oi')
    await until(async () => (await bodies(visitorToken)).length === 1)
    const attributes = (from: number, amount: number) =>
      Object.fromEntries(Array.from({ length: amount }, (_, n) => [`campo ${from + n}`, 'x'.repeat(500)]))
    expect((await open({ visitorToken, attributes: attributes(0, 31) })).status).toBe(400)
    for (let n = 0; n < 6; n++) await open({ visitorToken, attributes: attributes(n * 30, 30) })
    const contacts = await product().platform.db.read(tenantId, (db) =>
      db.selectFrom('contacts').select('extra_info').execute(),
    )
    const most = Math.max(...contacts.map(({ extra_info }) => (extra_info as unknown[]).length))
    expect(most).toBe(100)
  })

  it('asks within measure, also for the session that it has', async () => {
    const limited = await startProduct({ env: { RATE_LIMITS: true } })
    try {
      const { channel: own } = await makeChannel(limited)
      const first = await open({}, limited, own.token)
      const { visitorToken } = first.body
      const statuses: number[] = []
      for (let n = 0; n < 31; n++) {
        const batch = Array.from({ length: 20 }, () => open({ visitorToken }, limited, own.token))
        statuses.push(...(await Promise.all(batch)).map(({ status }) => status))
      }
      expect(statuses.filter((status) => status === 200)).toHaveLength(600)
      expect(statuses.filter((status) => status === 429)).toHaveLength(20)
      // Without a token it is a new visitor each time: thirty a minute from one address.
      const fresh = await Promise.all(Array.from({ length: 31 }, () => open({}, limited, own.token)))
      expect(fresh.filter(({ status }) => status === 429).length).toBeGreaterThan(0)
    } finally {
      await limited.close()
    }
  })
})
