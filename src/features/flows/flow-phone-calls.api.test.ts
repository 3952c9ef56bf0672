import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { assistants } from '#features/assistants/contract.ts'
import { phoneCallJob } from '#features/assistants/server/index.ts'
import { any, does, flowOf, type Json, node, sends, toQueue } from '#test/flow-steps.ts'
import { flowCompany, flowTalk } from '#test/flow-talk.ts'
import { make } from '#test/make.ts'
import { startAssistants } from '#test/peers/assistants.ts'
import { withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { flows } from './contract.ts'

const product = withProduct({ env: { OUTBOUND_ALLOW: ['127.0.0.1'] } })
const _m = () => make(product().platform)

let peer: Awaited<ReturnType<typeof startAssistants>>
let tenantId: number
let connectionId: number
let queueId: number
let admin: string
let from: string

beforeAll(async () => {
  peer = await startAssistants()
})
afterAll(() => peer.close())
beforeEach(async () => {
  peer.reset()
  ;({ tenantId, connectionId, queueId, admin } = await flowCompany(product()))
  from = nextPhone()
})

const { write, ticketOf, saidTo, nextPhone, ask, attending } = flowTalk(product, () => ({
  tenantId,
  connectionId,
  admin,
}))

/** Publishes a flow whose step calls the customer by phone, says so, and passes them to a queue. */
async function attend(data: Json = {}, isConnected = true): Promise<void> {
  if (isConnected) await ask(assistants.create, { body: { provider: 'vapi', name: 'Voz', ...peer.filled['vapi']! } })
  const made = does('VapiField', { assistantId: 'a1', phoneNumberId: 'n1', ...data })
  const flow = flowOf([node('a', [made, sends('Vamos ligar')], [any(toQueue(queueId))])])
  await attending(flow)
}

const called = () => peer.asked().filter(({ path }) => path === '/vapi/call')
const read = <T>(
  what: (db: Parameters<Parameters<ReturnType<typeof product>['platform']['db']['read']>[1]>[0]) => Promise<T>,
) => product().platform.db.read(tenantId, what)
const rows = () =>
  read((db) => db.selectFrom('assistant_calls').select(['error', 'external_id', 'ticket_id']).execute())
const notes = () => read((db) => db.selectFrom('messages').select('body').where('is_note', '=', true).execute())

it('calls the contact, or the number that the step says, while the flow goes on', async () => {
  await attend()
  await write(from, 'Oi')
  await until(async () => called().length === 1 && (await saidTo(from)).length === 1)
  expect(called()[0]!.body).toMatchObject({ assistantId: 'a1', phoneNumberId: 'n1', customer: { number: `+${from}` } })
  await until(async () => (await rows()).every(({ error }) => error === null))
  expect(await rows()).toMatchObject([{ ticket_id: (await ticketOf(from)).id, external_id: expect.any(String) }])
})

it('a call that may have left before its process died is not made again, and the ticket says so', async () => {
  await attend()
  await write(from, 'Oi')
  await until(async () => (await rows()).some(({ error }) => error === null))
  const { id: ticketId } = await ticketOf(from)
  const effect = { callId: 'outra:1', ticketId, assistantId: 'a1', phoneNumberId: 'n1', to: '' }
  peer.state.fault = 'half'
  const run = () => phoneCallJob.run(product().platform, { tenantId, ...effect }, { requireOwnership: () => {} })
  await run()
  const before = called().length
  await run()
  await run()
  expect(called()).toHaveLength(before)
  expect(await notes()).toMatchObject([{ body: expect.stringContaining('O fluxo não ligou para o cliente.') }])
})

it('without an account or a number nobody is called, and the ticket says why', async () => {
  await attend({}, false)
  await write(from, 'Oi')
  await until(async () => (await notes()).length === 1)
  expect((await notes())[0]!.body).toContain('Nenhuma conta')
  await ask(assistants.create, { body: { provider: 'vapi', name: 'Voz', ...peer.filled['vapi']! } })
  const { id: ticketId } = await ticketOf(from)
  const effect = { callId: 'outra:2', ticketId, assistantId: 'a1', phoneNumberId: 'n1', to: 'amanhã' }
  await phoneCallJob.run(product().platform, { tenantId, ...effect }, { requireOwnership: () => {} })
  expect(JSON.stringify(await notes())).toContain('“amanhã” não é um número')
  expect(called()).toHaveLength(0)
})

it('a step without assistant or number cannot be published', async () => {
  const flow = flowOf([node('a', [does('VapiField', {})], [any(toQueue(queueId))])])
  const { id } = (await ask(flows.create, { body: { name: 'Falta' } })).body
  await ask(flows.import, { params: { id }, body: flow })
  expect((await ask(flows.publish, { params: { id } })).status).toBeGreaterThanOrEqual(400)
})
