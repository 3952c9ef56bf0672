import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connections } from '#features/connections/contract.ts'
import { providers } from '#features/connections/providers-contract.ts'
import { messages } from '#features/messages/contract.ts'
import { tickets } from '#features/tickets/contract.ts'
import { linkedByGateway } from '#test/channels/gateway-end.ts'
import { make } from '#test/make.ts'
import { startHub } from '#test/peers/hub.ts'
import { call, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'

const product = withProduct({ env: { OUTBOUND_ALLOW: ['127.0.0.1'] } })
let hub: Awaited<ReturnType<typeof startHub>>
let connection: Awaited<ReturnType<typeof linkedByGateway>>
let tenantId: number
let token: string
let ticketId: number
const ME = '5519998124407'
const WHATSAPP = 'hub_whatsapp_business_account'

beforeAll(async () => {
  hub = await startHub()
  const m = make(product().platform)
  tenantId = await m.tenant()
  const admin = await m.user(tenantId, { profile: 'admin' })
  token = await m.token(admin)
  connection = await linkedByGateway(product(), token, {
    ...{ type: 'hub', provider: 'hub', settings: { url: hub.address, key: hub.key }, scan: async () => {} },
    config: { channelId: hub.channels[0]!.id, channel: WHATSAPP },
  })
  await connection.start()
  await connection.is('CONNECTED')
  await write('Oi')
  const found = () =>
    product().platform.db.read(tenantId, (db) => db.selectFrom('tickets').select('id').executeTakeFirst())
  await until(async () => (await found()) !== undefined)
  ticketId = (await found())!.id
  await call(product(), tickets.update, token, { params: { id: ticketId }, body: { status: 'open', userId: admin.id } })
})
afterAll(() => hub.close())

const write = (text: string) =>
  hub.tell(hub.channels[0]!.id, {
    ...{ type: 'MESSAGE', id: crypto.randomUUID() },
    message: {
      id: crypto.randomUUID(),
      from: ME,
      direction: 'IN',
      isGroup: 'false',
      contents: [{ type: 'text', text }],
    },
  })
const say = async (body: string): Promise<string> => {
  const reply = await call(product(), messages.send, token, {
    params: { ticketId },
    body: { body, idFront: crypto.randomUUID() } as never,
  })
  return (reply.body as unknown as { messages: { id: string }[] }).messages[0]!.id
}
const rowOf = (id: string) =>
  product().platform.db.read(tenantId, (db) =>
    db
      .selectFrom('messages')
      .select(['status', 'provider_id', 'provider_alias'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow(),
  )
const reasonsOf = (id: string) =>
  product().platform.db.read(tenantId, (db) =>
    db.selectFrom('message_trail').select('detail').where('message_id', '=', id).orderBy('id').execute(),
  )

describe('an account at the hub', () => {
  it('is picked of those that the token opens, each as what it is', async () => {
    const listed = await call(product(), providers.accounts, token, { query: {} })
    expect(listed.body).toEqual({
      accounts: [
        {
          ...{ account: hub.channels[0]!.id, name: 'Empório', type: WHATSAPP, whatsappId: connection.id },
          values: { channelId: hub.channels[0]!.id, channel: WHATSAPP },
        },
        {
          ...{ account: hub.channels[1]!.id, name: '@emporio', type: 'hub_instagram', whatsappId: null },
          values: { channelId: hub.channels[1]!.id, channel: 'hub_instagram' },
        },
      ],
      problem: null,
    })
    expect((await connection.read()).type).toBe(WHATSAPP)
    const other = { config: { channelId: hub.channels[1]!.id, channel: 'hub_instagram' } }
    const changed = await call(product(), connections.update, token, { params: connection.params, body: other })
    expect(changed.body).toMatchObject({ error: 'ERR_VALIDATION', details: { 'config.channel': expect.any(String) } })
    const strange = { type: 'hub', name: 'Estranho', config: { channelId: 'x', channel: 'hub_instagram' } }
    const made = await call(product(), connections.create, token, { body: strange })
    const started = await call(product(), connections.start, token, {
      params: { id: made.body.id },
    })
    expect(started.body).toMatchObject({
      error: 'ERR_CONNECTION_TEST',
      details: { config: expect.stringContaining('não está mais') },
    })
  })

  it('has the hub call it once, and takes nothing that is said of another', async () => {
    expect(hub.subscriptions).toHaveLength(1)
    const { webhookUrl } = await connection.read()
    expect(hub.subscriptions[0]!.webhook.url).toBe(webhookUrl)
    await expect(hub.tell('outro', { type: 'MESSAGE', message: { id: 'x', from: ME } }, webhookUrl!)).rejects.toThrow(
      '401',
    )
    expect((await call(product(), connections.setWebhook, token, { params: connection.params })).status).toBe(200)
  })

  it('has a status that comes before its send, and later ones under the other name', async () => {
    hub.faults.statusFirst = true
    const id = await say('Chegou?')
    await until(async () => (await rowOf(id)).provider_alias !== null)
    hub.faults.statusFirst = false
    const { id: providerId, alias } = hub.got.at(-1)!
    expect(await rowOf(id)).toEqual({ status: 'sent', provider_id: providerId, provider_alias: alias })
    await hub.status({ alias }, 'READ')
    await until(async () => (await rowOf(id)).status === 'read')
    expect((await rowOf(id)).provider_id).toBe(providerId)
  })

  it('fails with a sentence of ours where 200 has an error within', async () => {
    hub.faults.refusal = { error: { code: 131026, message: 'Message undeliverable' } }
    const id = await say('Ninguém')
    await until(async () => (await rowOf(id)).status === 'failed')
    const told = JSON.stringify(await reasonsOf(id))
    expect(told).toContain('não pode ser entregue')
    expect(told).toContain('Message undeliverable')
    hub.faults.refusal = { error: 'saldo insuficiente' }
    const next = await say('Outra')
    await until(async () => (await rowOf(next)).status === 'failed')
    expect(JSON.stringify(await reasonsOf(next))).toContain('O NotificaMe Hub não aceitou a mensagem.')
  })

  it('says of a token, and of an address, that is none what is wrong', async () => {
    const test = async (body: object) =>
      (await call(product(), providers.test, token, { params: { id: 'hub' }, body: body as never })).body
    expect(await test({ url: hub.address, key: 'outro' })).toMatchObject({
      ok: false,
      text: expect.stringContaining('não reconheceu o token'),
    })
    expect(await test({ url: 'http://127.0.0.1:1', key: 'x' })).toMatchObject({
      ok: false,
      text: expect.stringContaining('Ninguém atende'),
    })
    expect(await test({ url: hub.address, key: hub.key })).toMatchObject({ ok: true })
  })
})
