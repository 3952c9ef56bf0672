import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { assistants, assistantTurns } from '#features/assistants/contract.ts'
import { any, does, flowOf, goTo, type Json, node, sends, toQueue } from '#test/flow-steps.ts'
import { conversations } from '#test/flow-talk.ts'
import { make, type Person } from '#test/make.ts'
import { startAssistants } from '#test/peers/assistants.ts'
import { testChannel } from '#test/peers/channel.ts'
import { call, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { flows } from './contract.ts'

const product = withProduct({ env: { OUTBOUND_ALLOW: ['127.0.0.1'] } })
const m = () => make(product().platform)

let peer: Awaited<ReturnType<typeof startAssistants>>
let tenantId: number
let connectionId: number
let queueId: number
let badQueue: number
let admin: Person
let phone = 5_511_910_000_000
let from: string

beforeAll(async () => {
  peer = await startAssistants()
})
afterAll(() => peer.close())
beforeEach(async () => {
  peer.reset()
  testChannel(product().platform)
  tenantId = await m().tenant()
  queueId = await m().queue(tenantId)
  badQueue = await m().queue(tenantId)
  connectionId = await m().connection(tenantId, { type: 'test' })
  admin = await m().person(tenantId, { profile: 'admin' })
  from = String(++phone)
})

const { write, ticketOf, saidTo } = conversations(product, () => ({ tenantId, connectionId }))

// biome-ignore lint/suspicious/noExplicitAny: answers are judged by what they have.
const ask = (op: any, input: Json) => call(product(), op, admin.token, input as never) as any

/** Publishes a flow whose only step asks an assistant and branches by how that ends. */
async function attend(data: Json, rest: Json = {}): Promise<void> {
  const filled = peer.filled['claude']!
  const config = { ...filled.config, waitSeconds: 0 }
  const { id: accountId } = (
    await ask(assistants.create, { body: { provider: 'claude', name: 'Robô', ...filled, config } })
  ).body
  const ends = (exit: string, then: Json) => ({ id: exit, type: 'R', on: 'assistant', condition: [exit], ...then })
  const flow = flowOf([
    node(
      'a',
      [does('AssistantField', { assistantAccount: accountId, saveAs: 'fala', ...data })],
      [ends('off', goTo('b')), ends('answered', goTo('b')), ends('failed', toQueue(badQueue))],
      rest,
    ),
    node('b', [sends('Disse: {{fala|nada}}')], [any(toQueue(queueId))]),
  ])
  const { id } = (await ask(flows.create, { body: { name: 'Com assistente' } })).body
  await ask(flows.import, { params: { id }, body: flow })
  expect((await ask(flows.publish, { params: { id } })).status).toBe(200)
  await product().platform.db.asPlatform((db) =>
    db.updateTable('connections').set({ chat_flow_id: id }).where('id', '=', connectionId).execute(),
  )
}

const turns = async () =>
  (await ask(assistantTurns.list, { params: { id: (await ticketOf(from)).id } })).body.turns as {
    status: string
    cost: number
  }[]

it('talks within a step until the customer asks for a person, with its turns counted', async () => {
  await attend({ offWord: 'atendente', prompt: 'Você vende bolos para {{name}}' })
  await write(from, 'Oi')
  await until(async () => (await saidTo(from)).length === 1)
  await until(async () => (await ticketOf(from)).chat_flow_id !== null)
  await write(from, 'Tem de cenoura?')
  await until(async () => (await saidTo(from)).length === 2)
  expect(await saidTo(from)).toEqual(['Resposta a: Oi', 'Resposta a: Tem de cenoura?'])
  expect(JSON.stringify(peer.asked().at(-1)!.body)).toContain('Você vende bolos')
  await until(async () => (await turns()).filter(({ status }) => status === 'sent').length === 2)
  await write(from, 'ATENDENTE')
  await until(async () => (await saidTo(from)).length === 3)
  expect((await saidTo(from)).at(-1)).toBe('Disse: Resposta a: Tem de cenoura?')
  await write(from, 'ok')
  await until(async () => (await ticketOf(from)).queue_id === queueId)
  expect(await ticketOf(from)).toMatchObject({ chat_flow_id: null, assistants: {} })
  expect(peer.asked()).toHaveLength(2)
})

it('says nothing to the customer where only the flow reads it', async () => {
  await attend({ assistantMode: 'silent' })
  await write(from, 'Quero comprar')
  await until(async () => (await saidTo(from)).length === 1)
  expect(await saidTo(from)).toEqual(['Disse: Resposta a: Quero comprar'])
})

it('leaves by its own way where the assistant does not answer, and says nothing', async () => {
  await attend({})
  peer.state.fault = 401
  await write(from, 'Oi')
  await until(async () => (await ticketOf(from)).queue_id === badQueue)
  expect(await saidTo(from)).toEqual([])
  expect(await turns()).toMatchObject([{ status: 'failed' }])
})
