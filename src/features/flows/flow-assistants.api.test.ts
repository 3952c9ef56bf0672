import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { assistants, assistantTurns } from '#features/assistants/contract.ts'
import { any, does, flowOf, goTo, type Json, node, sends, toQueue } from '#test/flow-steps.ts'
import { flowCompany, flowTalk } from '#test/flow-talk.ts'
import { make } from '#test/make.ts'
import { startAssistants } from '#test/peers/assistants.ts'
import { withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'

const product = withProduct({ env: { OUTBOUND_ALLOW: ['127.0.0.1'] } })
const m = () => make(product().platform)

let peer: Awaited<ReturnType<typeof startAssistants>>
let tenantId: number
let connectionId: number
let queueId: number
let badQueue: number
let admin: string
let from: string

beforeAll(async () => {
  peer = await startAssistants()
})
afterAll(() => peer.close())
beforeEach(async () => {
  peer.reset()
  ;({ tenantId, connectionId, queueId, admin } = await flowCompany(product()))
  badQueue = await m().queue(tenantId)
  from = nextPhone()
})

const { write, ticketOf, saidTo, nextPhone, ask, attending } = flowTalk(product, () => ({
  tenantId,
  connectionId,
  admin,
}))

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
  await attending(flow)
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
