import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { assistantConfigs } from '#providers/assistants/configs.ts'
import { make, type Person } from '#test/make.ts'
import { startAssistants } from '#test/peers/assistants.ts'
import { testChannel } from '#test/peers/channel.ts'
import { call, withProduct } from '#test/server.ts'
import { assistants, connectionAssistants } from './contract.ts'

const product = withProduct({ env: { OUTBOUND_ALLOW: ['127.0.0.1'] } })
const m = () => make(product().platform)

let peer: Awaited<ReturnType<typeof startAssistants>>
let tenantId: number
let admin: Person
beforeAll(async () => {
  peer = await startAssistants()
  testChannel(product().platform)
})
afterAll(() => peer.close())
beforeEach(async () => {
  peer.reset()
  tenantId = await m().tenant()
  admin = await m().person(tenantId, { profile: 'admin' })
})

const create = async (provider: string, more: object = {}) => {
  const body = { provider, name: `Conta de ${provider}`, ...peer.filled[provider], ...more }
  return await call(product(), assistants.create, admin.token, { body: body as never })
}
const test = async (id: number, text = 'Bom dia') =>
  (await call(product(), assistants.test, admin.token, { params: { id }, body: { text } })).body
const update = (id: number, body: object) =>
  call(product(), assistants.update, admin.token, { params: { id }, body: body as never }) as Promise<{
    status: number
    body: { details?: Record<string, string>; secrets: Record<string, string> }
  }>

describe('an account', () => {
  it.each(assistantConfigs.map(({ id }) => id))('%s is made, tried with a sentence, and counted', async (provider) => {
    const { status, body } = await create(provider)
    expect(status).toBe(200)
    expect(body).toMatchObject({ isDefault: true, isActive: true, state: null })
    const said = await test(body.id)
    expect(said).toMatchObject({ ok: true, error: null })
    expect(said['answer']).toMatch(provider === 'typebot' ? /Em que posso ajudar/ : /Bom dia/)
    const { body: list } = await call(product(), assistants.list, admin.token)
    expect(list.assistants).toMatchObject([{ provider, state: { ok: true } }])
    const { body: used } = await call(product(), assistants.costs, admin.token)
    expect(used.total.calls).toBe(1)
  })

  it('keeps its secret to itself, asks for it again when its address changes, and ignores what it has no use for', async () => {
    const { body } = await create('claude', {
      config: { ...peer.filled['claude']!.config, publicId: 'de outro', wat: 1 },
      secrets: { apiKey: 'sk-segredo-1234', serviceAccount: 'x' },
    })
    expect(body.secrets).toEqual({ apiKey: '••••1234' })
    expect(body.config).not.toHaveProperty('publicId')
    expect(
      JSON.stringify(
        await product().platform.db.read(tenantId, (db) => db.selectFrom('provider_settings').selectAll().execute()),
      ),
    ).not.toContain('sk-segredo')
    expect((await update(body.id, { secrets: { apiKey: '••••1234' }, config: { prompt: 'Outro' } })).status).toBe(200)
    await test(body.id)
    expect(peer.asked().at(-1)!.headers['x-api-key']).toBe('sk-segredo-1234')
    const moved = await update(body.id, { config: { baseUrl: 'https://outro.exemplo.com/v1' } })
    expect([moved.status, moved.body.details]).toEqual([
      400,
      { 'config.apiKey': 'Informe a chave de novo: o endereço mudou.' },
    ])
  })

  it('says what is missing, unless it is switched off', async () => {
    const empty = { config: {}, secrets: {} }
    expect(await create('chatgpt', empty)).toMatchObject({
      ...{
        status: 400,
        body: { details: { 'config.apiKey': 'Informe a chave da API.', 'config.model': 'Escolha o modelo.' } },
      },
    })
    expect(await create('chatgpt', { ...empty, isActive: false })).toMatchObject({
      status: 200,
      body: { isActive: false },
    })
    expect(await create('desconhecido')).toMatchObject({ status: 400 })
  })

  it('fails its test in words, and is noted as failing', async () => {
    const { body } = await create('gemini')
    peer.state.fault = 401
    const said = await test(body.id)
    expect(said).toMatchObject({ ok: false, answer: '' })
    expect(said['error']).toContain('não aceitou a chave')
    expect(peer.asked()).toHaveLength(1)
  })

  it('is one of several: one is the default, another answers by a connection', async () => {
    const first = await create('grok')
    const second = await create('grok', { name: 'Outra', isDefault: true })
    expect(first.body.isDefault).toBe(true)
    const { body } = await call(product(), assistants.list, admin.token)
    expect(body.assistants).toMatchObject([
      { id: second.body.id, isDefault: true },
      { id: first.body.id, isDefault: false },
    ])
    const connection = await m().connection(tenantId, { type: 'test' })
    const set = (choice: object) =>
      call(product(), connectionAssistants.set, admin.token, { params: { id: connection }, body: choice })
    expect(await set({ assistantId: first.body.id })).toMatchObject({
      status: 200,
      body: { assistantId: first.body.id, when: 'always' },
    })
    expect(await set({ assistantId: 999_999 })).toMatchObject({ status: 404 })
    await call(product(), assistants.remove, admin.token, { params: { id: first.body.id } })
    expect(await call(product(), connectionAssistants.get, admin.token, { params: { id: connection } })).toMatchObject({
      body: { assistantId: null },
    })
  })

  it('tells its models, and is for administrators alone', async () => {
    const { body } = await create('qwen')
    const models = await call(product(), assistants.models, admin.token, { params: { id: body.id } })
    expect(models.body).toEqual({ models: ['modelo-a', 'modelo-b'], problem: null })
    const filling = { provider: 'qwen', ...peer.filled['qwen']! }
    const before = await call(product(), assistants.modelsFor, admin.token, { body: filling as never })
    expect(before.body).toEqual(models.body)
    const unknown = { ...filling, provider: 'outro' }
    expect((await call(product(), assistants.modelsFor, admin.token, { body: unknown as never })).status).toBe(400)
    const ana = await m().person(tenantId, {})
    expect((await call(product(), assistants.list, ana.token)).status).toBe(403)
    const other = await m().person(await m().tenant(), { profile: 'admin' })
    expect(
      (await call(product(), assistants.test, other.token, { params: { id: body.id }, body: { text: 'x' } })).status,
    ).toBe(404)
  })
})
