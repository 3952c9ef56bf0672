import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { flows } from '#features/flows/contract.ts'
import type { Operation } from '#kit/contract.ts'
import { make, type Person } from '#test/make.ts'
import { testChannel } from '#test/peers/channel.ts'
import { call, ownProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { pipelineActions } from './actions-contract.ts'
import { opportunities } from './contract.ts'
import { pipelines } from './pipelines-contract.ts'
import { actEverywhere } from './server/act.ts'

let clock = new Date('2027-03-01T15:00:00Z')
let atCheckpoint: ((name: string) => void) | null = null
const product = ownProduct('its clock is moved by days', {
  now: () => clock,
  checkpoint: (name) => atCheckpoint?.(name),
})
const m = () => make(product().platform)
const sent: { body: string; conversationKey: string }[] = []
let tenantId: number
let boss: Person
let connection: number
let funnels = 0

beforeAll(async () => {
  testChannel(product().platform).behave(async ({ messageId, body, conversationKey }) => {
    sent.push({ body, conversationKey })
    return { providerId: messageId }
  })
  tenantId = await m().tenant()
  boss = await m().person(tenantId, { profile: 'admin' })
  connection = await m().connection(tenantId, { type: 'test' })
})

// A token valid at the moved clock.
// biome-ignore lint/suspicious/noExplicitAny: answers of many operations
const ask = async (op: Operation, input: object = {}): Promise<{ status: number; body: any }> =>
  call(product(), op as never, await m().token(boss), input as never) as never
const funnel = async () => {
  const body = { name: `Funil ${++funnels}`, stages: ['A', 'B', 'C', 'D', 'E'].map((name) => ({ name })) }
  const { body: made } = await ask(pipelines.create, { body })
  return { pipelineId: made.id as number, stages: made.stages.map(({ id }: { id: number }) => id) as number[] }
}
const action = async (pipelineId: number, stageId: number, steps: object[], more: object = {}) => {
  const body = { name: 'Avisar', pipelineId, stageId, steps, active: true, ...more }
  const answer = await ask(pipelineActions.sequential, { body })
  expect(answer.status).toBe(200)
  return answer.body as { id: number }
}
const card = async (pipelineId: number, row: object = {}) => {
  const contactId = await m().contact(tenantId, { name: 'Marlene', ...row })
  const { body } = await ask(opportunities.create, { body: { name: 'Mesa', pipelineId, contactId } })
  return body as { id: number; contactId: number; stageId: number }
}
const cardNow = async (id: number) => (await ask(opportunities.get, { params: { id } })).body
const act = () => actEverywhere(product().platform)
const logs = async (actionId?: number) => {
  const { body } = await ask(pipelineActions.logs, { params: { tenantId }, query: actionId ? { actionId } : {} })
  return body.data as { opportunityId: number; result: string; entry: number; steps: { refusal: string | null }[] }[]
}
const daysLater = (days: number) => {
  clock = new Date(clock.getTime() + days * 86_400_000)
}

it('writes once for each entry, with the contact’s own name, whoever looks and however often', async () => {
  const { pipelineId, stages } = await funnel()
  const { id } = await action(pipelineId, stages[1]!, [
    { type: 'message', message: 'Olá, {{firstName}}!', whatsappId: connection },
  ])
  sent.length = 0
  const one = await card(pipelineId)
  const move = (stageId: number) => ask(opportunities.move, { params: { id: one.id }, body: { stageId } })
  await move(stages[1]!)
  await Promise.all([act(), act(), act()])
  await until(() => sent.length > 0)
  await act()
  expect((await logs(id)).map(({ result, entry }) => [result, entry])).toEqual([['done', 2]])
  expect(sent.map(({ body }) => body)).toEqual(['Olá, Marlene!'])
  // Leaving and returning is a new entry.
  await move(stages[0]!)
  await move(stages[1]!)
  await act()
  await until(() => sent.length > 1)
  expect((await logs(id)).map(({ entry }) => entry)).toEqual([4, 2])
})

it('is done days later, within its hours, and only with who is still there', async () => {
  const { pipelineId, stages } = await funnel()
  const { id } = await action(pipelineId, stages[0]!, [{ type: 'status_change', targetStatus: 'lose' }], {
    ...{ daysToTrigger: 2, hourFrom: 9, hourTo: 18 },
  })
  const [stays, goes] = [await card(pipelineId), await card(pipelineId)]
  await act()
  daysLater(1)
  await act()
  expect(await logs(id)).toEqual([])
  await ask(opportunities.move, { params: { id: goes.id }, body: { stageId: stages[1]! } })
  daysLater(1.5)
  // Three in the morning.
  await act()
  expect(await logs(id)).toEqual([])
  daysLater(0.5)
  await act()
  expect((await logs(id)).map(({ opportunityId }) => opportunityId)).toEqual([stays.id])
  expect(await cardNow(stays.id)).toMatchObject({ status: 'lose', reason: 'Automação “Avisar”' })
  expect(await cardNow(goes.id)).toMatchObject({ status: 'open' })
})

it('leaves alone who was there before it was switched on, and does nothing while it is off', async () => {
  const { pipelineId, stages } = await funnel()
  await card(pipelineId)
  daysLater(0.01)
  const { id } = await action(pipelineId, stages[0]!, [{ type: 'status_change', targetStatus: 'win' }], {
    active: false,
  })
  await card(pipelineId)
  daysLater(0.01)
  expect((await ask(pipelineActions.toggle, { params: { id } })).body.active).toBe(true)
  await act()
  expect(await logs(id)).toEqual([])
  await card(pipelineId)
  await act()
  expect(await logs(id)).toHaveLength(1)
})

it('stops where three in a row have brought a card, and says so', async () => {
  const { pipelineId, stages } = await funnel()
  const made: number[] = []
  for (let n = 0; n < 4; n++)
    made.push((await action(pipelineId, stages[n]!, [{ type: 'stage_change', targetStageId: stages[n + 1]! }])).id)
  const one = await card(pipelineId)
  await act()
  expect((await cardNow(one.id)).stageId).toBe(stages[3])
  expect((await logs(made[3]!)).map(({ result }) => result)).toEqual(['stopped'])
})

it('does all of its steps or none, and says why', async () => {
  const { pipelineId, stages } = await funnel()
  const tagId = await m().tag(tenantId)
  const { id } = await action(pipelineId, stages[0]!, [
    { type: 'add_tag', tagIds: [tagId] },
    { type: 'add_wallet', userIds: [boss.id] },
    { type: 'message', message: 'Oi', whatsappId: connection },
  ])
  const locked = async (contactId: number) => {
    const { rows } = await product().platform.db.asPlatform((db) =>
      sql<{ tags: number; wallets: number }>`select
        (select count(*)::int from contact_tags where contact_id = ${contactId} and tenant_id = ${tenantId}) as tags,
        (select count(*)::int from contact_wallets where contact_id = ${contactId} and tenant_id = ${tenantId}) as wallets`.execute(
        db,
      ),
    )
    return rows[0]
  }
  const [fine, blocked] = [await card(pipelineId), await card(pipelineId, { blocked: true })]
  await act()
  const byCard = new Map((await logs(id)).map((log) => [log.opportunityId, log]))
  expect(byCard.get(fine.id)!.result).toBe('done')
  expect(await locked(fine.contactId)).toEqual({ tags: 1, wallets: 1 })
  expect(byCard.get(blocked.id)).toMatchObject({
    result: 'refused',
    steps: [{ refusal: null }, { refusal: null }, { refusal: 'O contato está bloqueado.' }],
  })
  expect(await locked(blocked.contactId)).toEqual({ tags: 0, wallets: 0 })
})

it('shows what would happen and changes nothing', async () => {
  const { pipelineId, stages } = await funnel()
  const one = await card(pipelineId)
  const { id } = await action(
    pipelineId,
    stages[1]!,
    [
      { type: 'message', message: 'Oi', whatsappId: connection },
      { type: 'stage_change', targetStageId: stages[2]! },
    ],
    { active: false },
  )
  sent.length = 0
  const before = await cardNow(one.id)
  const { body } = await ask(pipelineActions.simulate, { params: { id }, body: { opportunityId: one.id } })
  expect(body).toMatchObject({ result: 'done', steps: [{ refusal: null }, { refusal: null }] })
  expect(body.obstacles).toEqual(['off', 'elsewhere'])
  expect(await cardNow(one.id)).toEqual(before)
  expect([await logs(id), sent]).toEqual([[], []])
  const elsewhere = await m().person(await m().tenant(), { profile: 'admin' })
  const foreign = await call(product(), pipelineActions.get as never, elsewhere.token, { params: { id } } as never)
  expect(foreign.status).toBe(404)
})

it('starts a chatbot in the contact’s live conversation, once for each entry, or says why it cannot', async () => {
  const queueId = await m().queue(tenantId)
  const { body: made } = await ask(flows.create, { body: { name: 'Pós-proposta' } })
  const greeting = { id: 'm', type: 'MessageField', data: { message: 'A proposta chegou bem?' } }
  const node = {
    id: 'a',
    name: 'a',
    type: 'node',
    interactions: [greeting],
    conditions: [{ id: 'c', type: 'US', action: 1, queueId }],
  }
  const flow = {
    nodeList: [
      { id: 'start', type: 'start' },
      { id: 'configurations', type: 'configurations', configurations: {} },
      node,
    ],
    lineList: [{ from: 'start', to: 'a' }],
  }
  await ask(flows.import, { params: { id: made.id }, body: flow })
  const { pipelineId, stages } = await funnel()
  const { id } = await action(pipelineId, stages[1]!, [{ type: 'start_flow', chatFlowId: made.id }])
  const [talking, silent, left, blocked] = await Promise.all([
    card(pipelineId),
    card(pipelineId),
    card(pipelineId, { chatbot_blocked: true }),
    card(pipelineId, { blocked: true }),
  ])
  const ticketId = await m().ticket(tenantId, {
    ...{ connection_id: connection, contact_id: talking.contactId, channel: 'test' },
    ...{ status: 'open', user_id: boss.id, conversation_key: '5511950001234' },
  })
  const enter = (one: { id: number }) =>
    ask(opportunities.move, { params: { id: one.id }, body: { stageId: stages[1]! } })
  await enter(talking)
  await act()
  expect((await logs(id))[0]).toMatchObject({ result: 'refused', steps: [{ refusal: 'Chatbot não encontrado.' }] })
  expect((await ask(flows.publish, { params: { id: made.id } })).status).toBe(200)
  const tried = await ask(pipelineActions.simulate, { params: { id }, body: { opportunityId: talking.id } })
  expect(tried.body).toMatchObject({ result: 'done', steps: [{ refusal: null }], obstacles: ['done'] })
  sent.length = 0
  await ask(opportunities.move, { params: { id: talking.id }, body: { stageId: stages[0]! } })
  for (const one of [talking, silent, left, blocked]) await enter(one)
  await Promise.all([act(), act()])
  const byCard = new Map((await logs(id)).map((log) => [`${log.opportunityId} ${log.entry}`, log]))
  const why = (one: { id: number }, entry = 2) => byCard.get(`${one.id} ${entry}`)?.steps[0]?.refusal
  expect([why(talking, 4), why(silent), why(left), why(blocked)]).toEqual([
    null,
    'O contato não tem atendimento aberto nem pendente.',
    'O chatbot está bloqueado para este contato.',
    'O contato está bloqueado.',
  ])
  await until(() => sent.length >= 1)
  expect(sent.map(({ body }) => body)).toEqual(['A proposta chegou bem?'])
  const row = await product().platform.db.asPlatform((db) =>
    db
      .selectFrom('tickets')
      .select(['status', 'user_id', 'chat_flow_id'])
      .where('id', '=', ticketId)
      .executeTakeFirst(),
  )
  expect(row).toEqual({ status: 'pending', user_id: null, chat_flow_id: made.id })
})

it.each(['funnel action claimed', 'funnel action written', 'funnel action committed'])(
  'all who come in at once are each written to once, whoever dies at “%s”',
  async (step) => {
    const { pipelineId, stages } = await funnel()
    const { id } = await action(pipelineId, stages[1]!, [{ type: 'message', message: 'Oi', whatsappId: connection }], {
      active: false,
    })
    sent.length = 0
    const ids: number[] = []
    for (let n = 0; n < 15; n++) ids.push((await card(pipelineId)).id)
    await ask(pipelineActions.toggle, { params: { id } })
    let passed = 0
    atCheckpoint = (name) => {
      if (name === step && ++passed % 4 === 0) throw new Error('killed')
    }
    await ask(opportunities.bulk, { body: { ids, action: 'move', args: { stageId: stages[1]! } } })
    await Promise.all([act(), act()])
    atCheckpoint = null
    await Promise.all([act(), act()])
    const { body } = await ask(pipelineActions.logs, { params: { tenantId }, query: { actionId: id } })
    expect(body.total).toBe(15)
    await until(() => sent.length >= 15)
    const phones = sent.map(({ conversationKey }) => conversationKey)
    expect([phones.length, new Set(phones).size]).toEqual([15, 15])
  },
)
