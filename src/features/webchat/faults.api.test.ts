import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { DISK_FULL, type Faults, installFaults } from '#test/faults.ts'
import { make } from '#test/make.ts'
import { call, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { type WebchatChannelForm, webchat, webchatChannels } from './contract.ts'

let isDiskFull = false
const product = withProduct({
  checkpoint: (name) => {
    if (isDiskFull && name === 'file being written') throw Object.assign(new Error('write ENOSPC'), { code: 'ENOSPC' })
  },
})
let faults: Faults
let visitor: string
let tenantId: number

beforeAll(async () => {
  const m = make(product().platform)
  faults = await installFaults(product().ownerUrl)
  tenantId = await m.tenant()
  const token = await m.token(await m.user(tenantId, { profile: 'admin' }))
  const body: WebchatChannelForm = {
    name: 'Site',
    queueId: null,
    look: { title: 'Loja', welcome: 'Oi!', away: '', color: '#1C5D99', position: 'left', theme: 'auto' },
    domains: [],
    requiresProof: false,
  }
  const channel = (await call(product(), webchatChannels.create, token, { body })).body
  const opened = await call(product(), webchat.session, null, { body: { token: channel.token } })
  visitor = opened.body.visitorToken
})
afterEach(async () => {
  isDiskFull = false
  await faults.heal()
})
afterAll(() => faults.close())

const write = (idFront: string, text: string) => call(product(), webchat.send, visitor, { body: { idFront, text } })
const read = async () => {
  const { status, body } = await call(product(), webchat.list, visitor, { query: {} })
  return { status, texts: body.messages.map((message) => message.body) }
}
const upload = (idFront: string) => {
  const form = new FormData()
  form.append('idFront', idFront)
  form.append('caption', 'a nota')
  form.append('file', new Blob(['um texto que é um arquivo']), 'nota.txt')
  return fetch(`${product().address}/api/webchat/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${visitor}` },
    body: form,
  })
}

describe('a visitor on a full disk', () => {
  it('is answered 503 with the time to come back, and the same message again is stored once', async () => {
    const idFront = randomUUID()
    await faults.raise('journal', DISK_FULL)
    const refused = await write(idFront, 'oi')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2'])
    await faults.heal()
    expect((await write(idFront, 'oi')).status).toBe(200)
    expect((await write(idFront, 'oi')).status).toBe(200)
    await until(async () => (await read()).texts.includes('oi'))
    expect((await read()).texts.filter((text) => text === 'oi')).toHaveLength(1)
  })

  it('the same for a file, whose bytes or whose row do not fit', async () => {
    const idFront = randomUUID()
    isDiskFull = true
    expect((await upload(idFront)).status).toBe(503)
    isDiskFull = false
    await faults.raise('journal', DISK_FULL)
    expect((await upload(idFront)).status).toBe(503)
    await faults.heal()
    expect((await upload(idFront)).status).toBe(200)
    await until(async () => (await read()).texts.filter((text) => text === 'a nota').length === 1)
  })

  it('goes on reading: what the team sent is shown although its receipt finds no room', async () => {
    const { platform } = product()
    await write(randomUUID(), 'alguém aí?')
    await until(async () => (await read()).texts.includes('alguém aí?'))
    await platform.db.asPlatform(async (db) => {
      const { id, tenant_id, ...asked } = await db
        .selectFrom('messages')
        .select(['id', 'tenant_id', 'ticket_id', 'contact_id', 'connection_id', 'conversation_key'])
        .where('tenant_id', '=', tenantId)
        .where('body', '=', 'alguém aí?')
        .executeTakeFirstOrThrow()
      const answer = { from_me: true, status: 'sent', body: 'estamos', timestamp: new Date() }
      await db
        .insertInto('messages')
        .values({ tenant_id, id: randomUUID(), provider_id: id, ...asked, ...answer })
        .execute()
    })
    await faults.raise('journal', DISK_FULL)
    expect(await read()).toMatchObject({ status: 200, texts: expect.arrayContaining(['estamos']) })
  })
})
