import { afterAll, beforeAll, expect, it } from 'vitest'
import { testConfig } from '#test/channels/test/config.ts'
import { any, flowOf, goTo, node, sends, toQueue } from '#test/flow-steps.ts'
import { flowCompany, flowTalk } from '#test/flow-talk.ts'
import { make } from '#test/make.ts'
import { withProduct } from '#test/server.ts'

const product = withProduct()
const m = () => make(product().platform)

let tenantId: number
let connectionId: number
let receiver: { queue_id: number; user_id: number }
let chatFlowId: number
let admin: string
beforeAll(async () => {
  Object.assign(testConfig.capabilities, { optOut: true })
  const company = await flowCompany(product())
  ;({ tenantId, connectionId, admin } = company)
  receiver = { queue_id: company.queueId, user_id: (await m().user(tenantId)).id }
  const nodes = [
    node('a', [sends('Oi')], [any(goTo('b'))]),
    node('b', [sends('Certo')], [any(toQueue(receiver.queue_id))]),
  ]
  chatFlowId = await published(flowOf(nodes))
  connectionId = await m().connection(tenantId, { type: 'test', chat_flow_id: chatFlowId, ...receiver })
})
afterAll(() => void Object.assign(testConfig.capabilities, { optOut: false }))

const { write, ticketOf, saidTo, published } = flowTalk(product, () => ({ tenantId, connectionId, admin }))
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
