import { beforeAll, describe, expect, it } from 'vitest'
import { ingestIdle } from '#features/ledger/server/ingest/ingest.ts'
import { receive } from '#features/ledger/server/ingest/journal.ts'
import { ticketCommands } from '#features/tickets/commands-contract.ts'
import { tickets } from '#features/tickets/contract.ts'
import { any, does, flowOf, type Json, node } from '#test/flow-steps.ts'
import { flowCompany, flowTalk } from '#test/flow-talk.ts'
import { make } from '#test/make.ts'
import { textEvent } from '#test/peers/channel.ts'
import { withProduct } from '#test/server.ts'
import { flows } from './contract.ts'

const product = withProduct()
const m = () => make(product().platform)

let tenantId: number
let connectionId: number
let queueId: number
let admin: string
beforeAll(async () => {
  ;({ tenantId, connectionId, queueId, admin } = await flowCompany(product()))
})

const { write, ticketOf, saidTo, nextPhone, ask, attends, ...talk } = flowTalk(product, () => ({
  tenantId,
  connectionId,
  admin,
}))
const published = (nodes: Json[], configurations: Json = {}) => talk.published(flowOf(nodes, configurations))

describe('a flow that gives conversations to people', () => {
  it('does so too where another flow has come to it, each as the one before was given; as does the simulator', async () => {
    const giving = await published([node('g', [], [any({ action: 1, queueId })], { wait: false })], {
      autoDistributeTickets: { type: 'S' },
      welcomeMessage: { message: 'Com {{user}}' },
    })
    const asking = await published([
      node('a', [does('MessageField', { message: 'Posso passar?' })], [any({ action: 0, nextStepId: 'b' })]),
      node('b', [does('ChatFlowField', { chatFlow: giving })]),
    ])
    await attends(asking)
    const ana = await m().person(tenantId, { name: 'Ana', queues: [queueId] })
    await product().platform.db.write(tenantId, (db) =>
      db.updateTable('users').set({ is_online: true, capacity: 1 }).where('id', '=', ana.id).execute(),
    )
    const simulated = await ask(flows.simulate, {
      params: { id: asking },
      body: { at: Date.now(), events: [{ at: Date.now() + 1, text: 'sim' }] },
    })
    const words = simulated.body.messages.map((one: Json) => one['body'])
    expect(words).toEqual(['Posso passar?', 'Com Ana'])

    const [first, second] = [nextPhone(), nextPhone()]
    for (const body of ['oi', 'sim']) {
      const events = [first, second].map((from) => textEvent({ from, body }))
      await receive(product().platform, { tenantId, connectionId }, events)
      await ingestIdle(product().platform)
    }
    expect(await ticketOf(first)).toMatchObject({ status: 'open', user_id: ana.id, queue_id: queueId })
    expect(await ticketOf(second)).toMatchObject({ status: 'pending', user_id: null, queue_id: queueId })
    expect(await saidTo(first)).toEqual(words)
    expect(await saidTo(second)).toEqual(['Posso passar?', 'Com '])
  })

  it('tells the customer who gets the conversation, where it names somebody itself', async () => {
    const bia = await m().person(tenantId, { name: 'Bia' })
    const toBia = { action: 2, userIdDestination: bia.id }
    const flow = await published([node('a', [does('MessageField', { message: 'Posso passar?' })], [any(toBia)])], {
      welcomeMessage: { message: '{{user}} já vem' },
    })
    await attends(flow)
    const from = nextPhone()
    await write(from, 'oi', 'sim')
    expect(await ticketOf(from)).toMatchObject({ status: 'pending', user_id: bia.id })
    expect(await saidTo(from)).toEqual(['Posso passar?', 'Bia já vem'])
    const simulated = await ask(flows.simulate, {
      params: { id: flow },
      body: { at: Date.now(), events: [{ at: Date.now() + 1, text: 'sim' }] },
    })
    expect(simulated.body.messages.map((one: Json) => one['body'])).toEqual(await saidTo(from))
  })
})

describe('a flow that a person begins', () => {
  it('is no contact’s first attendance, though they have had no other', async () => {
    await attends(null)
    const from = nextPhone()
    await write(from, 'oi')
    const flow = await published(
      [node('a', [does('MessageField', { message: 'Qual o pedido?' })], [any({ action: 1, queueId })])],
      { firstInteraction: { type: 1, destiny: queueId } },
    )
    const { id } = await ticketOf(from)
    expect((await ask(ticketCommands.toChatFlow, { params: { id }, body: { chatFlowId: flow } })).status).toBe(200)
    expect(await saidTo(from)).toEqual(['Qual o pedido?'])
    expect(await ticketOf(from)).toMatchObject({ status: 'pending', chat_flow_id: flow })
    // For a conversation that the customer starts it does.
    await attends(flow)
    const other = nextPhone()
    await write(other, 'oi')
    expect([await saidTo(other), (await ticketOf(other)).queue_id]).toEqual([[], queueId])
  })
})

describe('a flow that speaks when a conversation is resolved', () => {
  it('greets in nobody’s name, for nobody comes; in the conversation that the answer begins it does', async () => {
    await attends(null)
    const flow = await published(
      [
        node('a', [does('MessageField', { message: 'Foi bom?' })], [any({ action: 0, nextStepId: 'b' })]),
        node('b', [does('MessageField', { message: 'Obrigado' })]),
      ],
      { startsOn: { type: 'closing' }, welcomeMessage: { message: 'Já vamos' } },
    )
    const resolve = async (from: string) => {
      const { id } = await ticketOf(from)
      await ask(tickets.update, { params: { id }, body: { status: 'closed' } })
    }
    const from = nextPhone()
    await write(from, 'oi')
    await resolve(from)
    expect(await saidTo(from)).toEqual(['Foi bom?'])
    await write(from, 'sim')
    expect(await saidTo(from)).toEqual(['Foi bom?', 'Obrigado', 'Já vamos'])
    const simulated = await ask(flows.simulate, {
      params: { id: flow },
      body: { at: Date.now(), events: [{ at: Date.now() + 1, text: 'sim' }] },
    })
    expect(simulated.body.messages.map((one: Json) => one['body'])).toEqual(await saidTo(from))

    await ask(flows.update, { params: { id: flow }, body: { isActive: false } })
    const short = await published([node('a', [does('MessageField', { message: 'Até logo' })])], {
      startsOn: { type: 'closing' },
      welcomeMessage: { message: 'Já vamos' },
    })
    const other = nextPhone()
    await write(other, 'oi')
    await resolve(other)
    expect([await saidTo(other), (await ticketOf(other)).status]).toEqual([['Até logo'], 'closed'])
    const alone = await ask(flows.simulate, { params: { id: short }, body: { at: Date.now(), events: [] } })
    expect(alone.body.messages.map((one: Json) => one['body'])).toEqual(['Até logo'])
  })
})
