import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { USUAL_WEEK } from '#domain/calendar/business-hours.ts'
import type { FlowSession } from '#domain/flow/session.ts'
import { connections } from '#features/connections/contract.ts'
import { ingestIdle } from '#features/ledger/server/ingest/ingest.ts'
import { receive } from '#features/ledger/server/ingest/journal.ts'
import { ticketCommands } from '#features/tickets/commands-contract.ts'
import { tickets } from '#features/tickets/contract.ts'
import { unit } from '#server/context.ts'
import { testConfig } from '#test/channels/test/config.ts'
import { any, does, flowOf, goTo, type Json, node, sends, toQueue, when } from '#test/flow-steps.ts'
import { flowCompany, flowTalk } from '#test/flow-talk.ts'
import { make } from '#test/make.ts'
import { type TestChannel, textEvent } from '#test/peers/channel.ts'
import { withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { flows, ticketFlow } from './contract.ts'
import { attendByFlow } from './server/index.ts'
import { happen } from './server/live.ts'

const product = withProduct()
const m = () => make(product().platform)

let channel: TestChannel
let tenantId: number
let connectionId: number
let queueId: number
let otherQueue: number
let admin: string
let agent: { id: number; token: string }

beforeAll(async () => {
  ;({ channel, tenantId, queueId, admin } = await flowCompany(product()))
  otherQueue = await m().queue(tenantId)
  connectionId = await m().connection(tenantId, { type: 'test', queue_id: otherQueue })
  const user = await m().user(tenantId, { queues: [queueId, otherQueue] })
  agent = { id: user.id, token: await m().token(user) }
})

const {
  write,
  ticketOf,
  saidTo,
  nextPhone,
  ask,
  attends,
  attending: published,
} = flowTalk(product, () => ({ tenantId, connectionId, admin }))
const logsOf = async (id: number) => {
  const { body } = await ask(tickets.logs, { params: { id } })
  return (body.logs as { type: string; reason: string | null }[]).map(({ type }) => type)
}

const MENU = () =>
  flowOf(
    [
      node('menu', [sends('Olá, {{name}}! 1 ou 2?')], [when(['1'], toQueue(queueId)), when(['2'], goTo('more'))]),
      node('more', [sends('Conte mais')], [any(toQueue(queueId))]),
    ],
    {
      welcomeMessage: { message: 'Já vamos.' },
      notOptionsSelectMessage: { message: 'Hein?' },
      keyword: { message: 'menu' },
    },
  )

describe('drafts and versions', () => {
  it('are made, changed over the revision that was read, published and restored', async () => {
    const { body } = await ask(flows.create, { body: { name: 'Um' } })
    const params = { id: body.id }
    const draft = (await ask(flows.get, { params })).body
    expect(draft).toMatchObject({
      name: 'Um',
      isActive: true,
      revision: 1,
      version: null,
      flow: { nodeList: [{}, {}, {}] },
    })
    expect(draft.usuarios).toContainEqual({ id: agent.id, name: expect.any(String) })
    expect(draft.filas.map((one: { id: number }) => one.id)).toEqual([queueId, otherQueue])
    const changed = await ask(flows.update, { params, body: { flow: MENU(), revision: 1 } })
    expect(changed.body).toMatchObject({ revision: 2, problems: [] })
    const stale = await ask(flows.update, { params, body: { flow: MENU(), revision: 1 } })
    expect([stale.status, stale.body.error, stale.body.details]).toEqual([409, 'ERR_FLOW_CHANGED', { revision: 2 }])
    expect((await ask(flows.publish, { params })).body).toEqual({ version: 1 })
    await ask(flows.update, { params, body: { flow: flowOf([node('a', [sends('Dois')])]) } })
    expect((await ask(flows.publish, { params })).body).toEqual({ version: 2 })
    expect((await ask(flows.restore, { params: { ...params, version: 1 } })).body).toEqual({ version: 3 })
    const { versions } = (await ask(flows.versions, { params })).body
    expect(versions.map((one: { version: number; isPublished: boolean }) => [one.version, one.isPublished])).toEqual([
      [3, true],
      [2, false],
      [1, false],
    ])
    expect((await ask(flows.get, { params })).body.flow).toEqual(MENU())
    const copy = await ask(flows.duplicate, { body: { id: body.id } })
    expect((await ask(flows.get, { params: { id: copy.body.id } })).body).toMatchObject({
      isActive: false,
      version: null,
      flow: MENU(),
    })
    expect((await ask(flows.remove, { params })).status).toBe(200)
    expect((await ask(flows.get, { params })).status).toBe(404)
  })

  it('are not published with errors, which are named', async () => {
    const { body } = await ask(flows.create, { body: { name: 'Errado' } })
    const params = { id: body.id }
    const problems = await ask(flows.import, {
      params,
      body: { flow: flowOf([node('a', [], [any(toQueue(999_999))])]) },
    })
    expect(problems.body.problems).toMatchObject([{ code: 'deletedQueue', nodeId: 'a', level: 'error' }])
    const refused = await ask(flows.publish, { params })
    expect([refused.status, refused.body.error]).toEqual([422, 'ERR_FLOW_NOT_READY'])
    expect(refused.body.details.problems).toEqual(problems.body.problems)
    for (const wrong of [[], { flow: 3 }, { nodeList: 'x' }]) {
      const { status } = await ask(flows.import, { params, body: wrong })
      expect(status).toBe(400)
    }
  })

  it('an import keeps what is not known, and an export of it is equal', async () => {
    const { body } = await ask(flows.create, { body: { name: 'De fora' } })
    const foreign = {
      ...flowOf([node('a', [does('NovoField', { x: [1, { y: null }] }), sends('Oi')])]),
      extra: { z: 1 },
    }
    await ask(flows.import, { params: { id: body.id }, body: foreign })
    expect((await ask(flows.get, { params: { id: body.id } })).body.flow).toEqual(foreign)
  })

  it('are for those who may change them; others see what is switched on and published', async () => {
    expect((await ask(flows.create, { body: { name: 'x' } }, agent.token)).status).toBe(403)
    const { body } = await ask(ticketCommands.chatFlows, {}, agent.token)
    expect(body.chatFlow.every((one: Json) => !('version' in one) && one['isActive'] === true)).toBe(true)
  })
})

describe('a conversation', () => {
  it('begins with the flow, waits without queue, is answered and handed over', async () => {
    await published(MENU())
    const from = nextPhone()
    await write(from, 'oi')
    const begun = await ticketOf(from)
    expect(begun).toMatchObject({ status: 'pending', queue_id: null, chat_flow_node: 'menu', bot_retries: 0 })
    await write(from, 'x')
    expect(await ticketOf(from)).toMatchObject({ bot_retries: 1 })
    await write(from, '2', 'quero comprar')
    const ended = await ticketOf(from)
    expect(ended).toMatchObject({
      status: 'pending',
      queue_id: queueId,
      chat_flow_id: null,
      chat_flow_node: null,
      answered: false,
    })
    const hello = `Olá, Cliente ${from}! 1 ou 2?`
    expect(await saidTo(from)).toEqual([hello, 'Hein?', hello, 'Conte mais', 'Já vamos.'])
    await until(() => channel.sent.filter((one) => one.conversationKey === from).length === 5)
    expect(await logsOf(begun.id)).toEqual(expect.arrayContaining(['chatBot', 'queue']))
    const story = (await ask(ticketFlow.get, { params: { id: begun.id } })).body
    expect(story).toMatchObject({ version: 1, steps: [{ nodeId: 'menu', why: 'O fluxo começou.' }, {}, {}, {}] })
    // The flow has ended: no automatic reply follows.
    await write(from, 'oi?')
    expect(await saidTo(from)).toHaveLength(5)
  })

  it('words that come together are answered in their order', async () => {
    await published(MENU())
    const from = nextPhone()
    await receive(
      product().platform,
      { tenantId, connectionId },
      ['oi', '2', 'tudo'].map((body) => textEvent({ from, body })),
    )
    await ingestIdle(product().platform)
    expect(await saidTo(from)).toEqual([`Olá, Cliente ${from}! 1 ou 2?`, 'Conte mais', 'Já vamos.'])
  })

  it('goes to the connection’s queue where the flow ends undirected, and where it was never begun', async () => {
    await published(flowOf([node('a', [sends('Só isto')])]))
    const from = nextPhone()
    await write(from, 'oi')
    expect(await ticketOf(from)).toMatchObject({ status: 'pending', queue_id: otherQueue, chat_flow_id: null })
    await attends(null)
    const other = nextPhone()
    await write(other, 'oi')
    expect(await saidTo(other)).toEqual([])
    expect(await ticketOf(other)).toMatchObject({ queue_id: otherQueue })
  })

  it('begins by a keyword too; not for whom the bot is blocked, nor for others than the test number', async () => {
    await published(MENU())
    await attends(null)
    const from = nextPhone()
    await write(from, ' MENÚ ')
    expect(await saidTo(from)).toHaveLength(1)
    const blocked = nextPhone()
    await write(blocked, 'oi')
    const { contact_id: contactId, id } = await ticketOf(blocked)
    await product().platform.db.asPlatform((db) =>
      db.updateTable('contacts').set({ chatbot_blocked: true }).where('id', '=', contactId).execute(),
    )
    await ask(tickets.force, { params: { id }, body: { status: 'closed' } })
    await write(blocked, 'menu')
    expect(await saidTo(blocked)).toEqual([])
    const test = nextPhone()
    await published(flowOf([node('a', [sends('Teste')], [any(toQueue(queueId))])]), { celularTeste: test })
    const other = nextPhone()
    await write(other, 'oi')
    await write(test, 'oi')
    expect([await saidTo(other), await saidTo(test)]).toEqual([[], ['Teste']])
  })

  it('begins with the company’s flow where the connection has none, which directs a contact’s first ticket alone', async () => {
    const flow = flowOf([node('a', [sends('Da empresa')], [any(toQueue(queueId))])], {
      firstInteraction: { type: 1, destiny: queueId },
    })
    const id = await published(flow, { name: 'Da empresa' })
    await attends(null)
    await m().setting(tenantId, 'botTicketActive', String(id))
    const from = nextPhone()
    await write(from, 'oi')
    const first = await ticketOf(from)
    expect(first).toMatchObject({ status: 'pending', queue_id: queueId, chat_flow_id: null })
    await ask(tickets.force, { params: { id: first.id }, body: { status: 'closed' } })
    await write(from, 'oi de novo')
    expect([await saidTo(from), (await ticketOf(from)).chat_flow_id]).toEqual([['Da empresa'], id])
    await m().setting(tenantId, 'botTicketActive', '')
  })

  it('is a person’s as soon as one takes it, and again a flow’s when one hands it over', async () => {
    const chatFlowId = await published(MENU(), { name: 'À mão' })
    const from = nextPhone()
    await write(from, 'oi')
    const { id } = await ticketOf(from)
    await ask(tickets.update, { params: { id }, body: { status: 'open', userId: agent.id } })
    await write(from, '1')
    expect(await saidTo(from)).toHaveLength(1)
    const handed = await ask(ticketCommands.toChatFlow, { params: { id }, body: { chatFlowId } }, agent.token)
    expect([handed.status, handed.body.status]).toEqual([200, 'pending'])
    expect(await saidTo(from)).toHaveLength(2)
    // Regardless of changes to its draft.
    await ask(flows.import, { params: { id: chatFlowId }, body: { nodeList: [null, 1], lineList: 'x' } })
    const again = await ask(ticketCommands.toChatFlow, { params: { id }, body: { chatFlowId } })
    expect([again.status, (await ticketOf(from)).chat_flow_node]).toEqual([200, 'menu'])
    await write(from, '1')
    expect(await ticketOf(from)).toMatchObject({ queue_id: queueId, chat_flow_id: null })
  })

  it('is not a flow’s where the customer is in a wallet and the company wants people there', async () => {
    await published(MENU(), { name: 'Recepção de todos' })
    const [mine, other] = [nextPhone(), nextPhone()]
    const contact_id = await m().contact(tenantId, { number: mine })
    await product().platform.db.write(tenantId, (db) =>
      db.insertInto('contact_wallets').values({ tenant_id: tenantId, contact_id, user_id: agent.id }).execute(),
    )
    await m().setting(tenantId, 'walletExternalInteraction')
    for (const from of [mine, other]) await write(from, 'oi')
    expect([await saidTo(mine), (await saidTo(other)).length]).toEqual([[], 1])
    await m().setting(tenantId, 'walletExternalInteraction', 'disabled')
  })

  it('is not a flow’s where an agent began it, whichever word comes first', async () => {
    await published(MENU(), { name: 'Só de quem escreve' })
    const from = nextPhone()
    const contactId = await m().contact(tenantId, { number: from })
    const begun = { contactId, whatsappId: connectionId, status: 'pending' }
    const { id: ticketId } = (await ask(tickets.create, { body: begun }, agent.token)).body
    await write(from, 'menu')
    expect([await saidTo(from), (await ticketOf(from)).id]).toEqual([[], ticketId])
    const of = { userId: null, queueId: null, chatFlowId: null, connectionId, isFirst: true, text: 'menu' }
    const item = { ticketId, fromMe: false, isNote: false, isLate: false, isClosed: false, isGroup: false, ...of }
    const heard = (isByAgent: boolean) =>
      unit(product().platform, { tenantId, user: null }, async (ctx) => {
        await ctx.db.updateTable('tickets').set({ is_active_demand: isByAgent }).where('id', '=', ticketId).execute()
        return (await attendByFlow.run(ctx, [item], { id: 'x', depth: 0 })).attends
      })
    expect([await heard(true), await heard(false)]).toEqual([new Set(), new Set([ticketId])])
  })

  it('is given by the flow to whoever is there and below capacity, as by the company’s own distribution', async () => {
    const flow = flowOf([node('a', [sends('1?')], [any(toQueue(queueId))])], { autoDistributeTickets: { type: 'S' } })
    await published(flow, { name: 'Distribui' })
    const own = await m().queue(tenantId)
    const people = [await m().person(tenantId, { queues: [queueId] }), await m().person(tenantId, { queues: [own] })]
    await product().platform.db.write(tenantId, (db) =>
      db
        .updateTable('users')
        .set({ is_online: true, capacity: 1 })
        .where(
          'id',
          'in',
          people.map(({ id }) => id),
        )
        .execute(),
    )
    const [first, second] = [nextPhone(), nextPhone()]
    // Simultaneous conversations must not both get a person's last free place.
    for (const body of ['oi', 'sim']) {
      const events = [first, second].map((from) => textEvent({ from, body }))
      await receive(product().platform, { tenantId, connectionId }, events)
      await ingestIdle(product().platform)
    }
    expect(await ticketOf(first)).toMatchObject({ status: 'open', user_id: people[0]!.id })
    expect(await ticketOf(second)).toMatchObject({ status: 'pending', user_id: null, queue_id: queueId })
  })

  it('goes on in its version while another is published, and after the flow is deleted', async () => {
    const id = await published(MENU())
    const from = nextPhone()
    await write(from, 'oi')
    await ask(flows.update, {
      params: { id },
      body: { flow: flowOf([node('menu', [sends('Novo')], [any(toQueue(otherQueue))])]) },
    })
    await ask(flows.publish, { params: { id } })
    const other = nextPhone()
    await write(other, 'oi')
    expect(await saidTo(other)).toEqual(['Novo'])
    await write(from, '2')
    expect((await saidTo(from)).at(-1)).toBe('Conte mais')
    await ask(flows.remove, { params: { id } })
    await write(from, 'quero comprar')
    expect(await ticketOf(from)).toMatchObject({ queue_id: queueId, chat_flow_id: null })
  })

  it('outside of the hours says the absence message before the flow, or what the flow says instead, once', async () => {
    const setting = (key: string, value: string) =>
      product().platform.db.asPlatform((db) =>
        db
          .insertInto('settings')
          .values({ tenant_id: tenantId, key, value })
          .onConflict((conflict) => conflict.columns(['tenant_id', 'key']).doUpdateSet({ value }))
          .execute(),
      )
    const closed = USUAL_WEEK.map((day) => ({ ...day, type: 'C' }))
    await setting('businessHours', JSON.stringify(closed))
    await setting('messageBusinessHours', 'Fechado')
    await setting('maxRetries', '5')
    product().platform.bus.stale(`settings ${tenantId}`)
    const steps = [node('a', [sends('Oi')], [when(['sim'], toQueue(queueId))])]
    await published(flowOf(steps))
    const from = nextPhone()
    await write(from, 'oi', 'sim')
    expect(await saidTo(from)).toEqual(['Fechado', 'Oi'])
    await published(flowOf(steps, { outOpenHours: { type: 3, destiny: 'Voltamos amanhã' } }))
    const other = nextPhone()
    await write(other, 'oi')
    expect([await saidTo(other), (await ticketOf(other)).status]).toEqual([['Voltamos amanhã'], 'closed'])
    // On a connection that ignores business hours it is never outside of them.
    const ignore = (ignoreBussinesHours: 'enabled' | 'disabled') =>
      ask(connections.update, { params: { id: connectionId }, body: { ignoreBussinesHours } })
    await ignore('enabled')
    const isOpen = { on: 'hours', condition: ['open'], type: 'R', ...goTo('b') }
    const judging = [
      node('a', [sends('Oi')], [isOpen, any(toQueue(queueId))], { wait: false }),
      node('b', [sends('Abertos')]),
    ]
    for (const [nodes, settings] of [
      [steps, {}],
      [judging, { outOpenHours: { type: 3, destiny: 'Nada' } }],
    ] as const) {
      await published(flowOf([...nodes], settings))
      const somebody = nextPhone()
      await write(somebody, 'oi')
      expect(await saidTo(somebody)).toEqual(nodes === steps ? ['Oi'] : ['Oi', 'Abertos'])
    }
    await ignore('disabled')
    await setting('messageBusinessHours', '')
    await setting('businessHours', '[]')
    product().platform.bus.stale(`settings ${tenantId}`)
  })

  it('silence is acted upon once; a timer that is over does nothing', async () => {
    await published(
      flowOf([node('a', [sends('Oi')], [when(['sim'], toQueue(queueId))])], {
        notResponseMessage: { time: 1 / 60, type: 1, destiny: queueId, message: 'Até logo' },
      }),
    )
    const from = nextPhone()
    await write(from, 'oi')
    await until(async () => (await ticketOf(from)).chat_flow_id === null)
    expect(await saidTo(from)).toEqual(['Oi', 'Até logo'])
    expect(await ticketOf(from)).toMatchObject({ queue_id: queueId })
  })

  it('a fault of the flow costs no message: people get the ticket, with the reason', async () => {
    await published(
      flowOf([
        node(
          'a',
          Array.from({ length: 25 }, (_, index) => sends(`Oi ${index}`)),
          [any(toQueue(queueId))],
        ),
      ]),
    )
    const from = nextPhone()
    await write(from, 'oi')
    expect(await saidTo(from)).toHaveLength(20)
    const { id, queue_id: queue } = await ticketOf(from)
    expect(queue).toBe(otherQueue)
    const { body } = await ask(tickets.logs, { params: { id } })
    expect(body.logs.find((one: Json) => one['type'] === 'queue')).toMatchObject({
      reason: expect.stringContaining('20 mensagens'),
    })
  })

  it('an error in the engine costs no message either: the ticket goes to the connection’s queue, and says why', async () => {
    await published(MENU())
    const from = nextPhone()
    await write(from, 'oi')
    const { id } = await ticketOf(from)
    // Session state that the engine cannot process.
    await product().platform.db.asPlatform((db) =>
      sql`update flow_sessions set state = state || '{"inbox": null}' where ticket_id = ${id}`.execute(db),
    )
    await write(from, 'Quero a 2ª via')
    const heard = await product().platform.db.read(tenantId, (db) =>
      db
        .selectFrom('messages')
        .select('body')
        .where('ticket_id', '=', id)
        .where('from_me', '=', false)
        .orderBy('seq')
        .execute(),
    )
    expect(heard.map(({ body }) => body)).toEqual(['oi', 'Quero a 2ª via'])
    expect(await ticketOf(from)).toMatchObject({ id, status: 'pending', queue_id: otherQueue, chat_flow_id: null })
    const { body } = await ask(tickets.logs, { params: { id } })
    expect(body.logs.find((one: Json) => one['type'] === 'queue')).toMatchObject({
      reason: 'O fluxo falhou, e o atendimento foi para uma pessoa.',
    })
  })

  it('is written to while the channel’s window is open; what would come after it is not sent, and the flow goes on', async () => {
    const { windowHours } = testConfig.capabilities
    Object.assign(testConfig.capabilities, { windowHours: 24 })
    try {
      const delayed = [sends('Oi'), does('DelayField', { time: 3600 }), sends('Ainda quer?')]
      await published(flowOf([node('a', delayed, [any(toQueue(queueId))])]))
      const ringing = async (isOver: boolean) => {
        const from = nextPhone()
        await write(from, 'oi')
        const { id } = await ticketOf(from)
        await unit(product().platform, { tenantId, user: null }, async ({ db, now }) => {
          const at = new Date(now.getTime() - (isOver ? 25 : 23) * 3_600_000)
          await db.updateTable('tickets').set({ last_message_received_at: at }).where('id', '=', id).execute()
        })
        const { id: sessionId, state } = await product().platform.db.read(tenantId, (db) =>
          db.selectFrom('flow_sessions').select(['id', 'state']).where('ticket_id', '=', id).executeTakeFirstOrThrow(),
        )
        const [timer] = (state as unknown as FlowSession).timers
        await unit(product().platform, { tenantId, user: null }, (ctx) =>
          happen(ctx, sessionId, { type: 'timer', at: Date.now(), id: timer!.id }),
        )
        const { steps } = (await ask(ticketFlow.get, { params: { id } })).body
        return [await saidTo(from), (steps as { why: string }[]).filter(({ why }) => why.includes('24 horas')).length]
      }
      expect(await ringing(false)).toEqual([['Oi', 'Ainda quer?'], 0])
      expect(await ringing(true)).toEqual([['Oi'], 1])
    } finally {
      Object.assign(testConfig.capabilities, { windowHours })
    }
  })
})
