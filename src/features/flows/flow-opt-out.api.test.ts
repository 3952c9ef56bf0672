import { afterAll, beforeAll, expect, it } from 'vitest'
import { testConfig } from '#test/channels/test/config.ts'
import { any, flowOf, goTo, node, sends, toQueue } from '#test/flow-steps.ts'
import { conversations } from '#test/flow-talk.ts'
import { make } from '#test/make.ts'
import { testChannel } from '#test/peers/channel.ts'
import { call, withProduct } from '#test/server.ts'
import { flows } from './contract.ts'

const product = withProduct()
const m = () => make(product().platform)

let tenantId: number
let connectionId: number
let receiver: { queue_id: number; user_id: number }
let chatFlowId: number
beforeAll(async () => {
  Object.assign(testConfig.capabilities, { optOut: true })
  testChannel(product().platform)
  tenantId = await m().tenant()
  receiver = { queue_id: await m().queue(tenantId), user_id: (await m().user(tenantId)).id }
  const admin = await m().token(await m().user(tenantId, { profile: 'admin' }))
  const nodes = [
    node('a', [sends('Oi')], [any(goTo('b'))]),
    node('b', [sends('Certo')], [any(toQueue(receiver.queue_id))]),
  ]
  const { body } = await call(product(), flows.create, admin, { body: { name: 'Recepção' } })
  chatFlowId = body.id
  await call(product(), flows.import, admin, { params: { id: chatFlowId }, body: flowOf(nodes) })
  await call(product(), flows.publish, admin, { params: { id: chatFlowId } })
  connectionId = await m().connection(tenantId, { type: 'test', chat_flow_id: chatFlowId, ...receiver })
})
afterAll(() => void Object.assign(testConfig.capabilities, { optOut: false }))

const { write, ticketOf, saidTo } = conversations(product, () => ({ tenantId, connectionId }))
const PENDING = { status: 'pending', chat_flow_id: null, chat_flow_node: null }

it('the flow lets go of whoever wants nothing automatic: people of the connection have them', async () => {
  const from = '551196000001'
  await write(from, 'oi')
  expect(await ticketOf(from)).toMatchObject({ chat_flow_id: chatFlowId, queue_id: null })
  await write(from, 'sair')
  expect(await ticketOf(from)).toMatchObject({ ...PENDING, ...receiver })
  await write(from, 'Quero falar com alguém')
  const [first, confirmed, ...others] = await saidTo(from)
  expect([first, confirmed, others]).toEqual(['Oi', expect.stringContaining('não receberá mais'), []])
})

it('no flow attends them in what they begin later', async () => {
  const from = '551196000002'
  await write(from, 'parar')
  expect(await ticketOf(from)).toMatchObject({ ...PENDING, ...receiver })
  const { id } = await ticketOf(from)
  await product().platform.db.write(tenantId, (db) =>
    db.updateTable('tickets').set({ status: 'closed', closed_at: new Date() }).where('id', '=', id).execute(),
  )
  await write(from, 'oi', 'Tudo bem?')
  const later = await ticketOf(from)
  expect(later.id).not.toBe(id)
  expect(later).toMatchObject({ ...PENDING, ...receiver })
  expect(await saidTo(from)).toHaveLength(1)
})
