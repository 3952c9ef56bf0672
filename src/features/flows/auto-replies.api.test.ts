import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { ticketCommands } from '#features/tickets/commands-contract.ts'
import { tickets } from '#features/tickets/contract.ts'
import { conversations } from '#test/flow-talk.ts'
import { make } from '#test/make.ts'
import { testChannel } from '#test/peers/channel.ts'
import { call, withProduct } from '#test/server.ts'
import { flows, ticketFlow } from './contract.ts'
import { autoReplies } from './reply-contract.ts'

const product = withProduct()
const m = () => make(product().platform)

let tenantId: number
let connectionId: number
let queueId: number
let agentId: number
let admin: string
let phone = 5_511_911_000_000

beforeAll(async () => {
  testChannel(product().platform)
  tenantId = await m().tenant()
  queueId = await m().queue(tenantId, { queue: 'Vendas' })
  connectionId = await m().connection(tenantId, { type: 'test' })
  const agent = await m().user(tenantId, { profile: 'admin' })
  agentId = agent.id
  admin = await m().token(agent)
})

type Json = Record<string, unknown>
// biome-ignore lint/suspicious/noExplicitAny: answers are judged by what they have.
const ask = (op: any, input: Json = {}, token = admin) => call(product(), op, token, input) as any

const word = (words: string, rest: Json): Json => ({ words, ...rest })
/** Negative ids are those of new steps. */
const STEPS = (): Json[] => [
  {
    id: -1,
    reply: 'Oi, {{firstName}}! 1 vendas ou 2 prazo',
    initialStep: true,
    actions: [
      word('1, vendas', { action: 1, queueId, replyDefinition: 'Já chamo.' }),
      word('2', { action: 0, nextStepId: -2 }),
    ],
  },
  {
    id: -2,
    reply: 'De 7 a 15 dias. Falar com alguém?',
    actions: [word('sim', { action: 2, userIdDestination: agentId })],
  },
]
async function created(input: Json = {}): Promise<Json & { id: number; steps: { id: number; actions: Json[] }[] }> {
  const { status, body } = await ask(autoReplies.create, {
    body: { name: 'Recepção', isActive: true, steps: STEPS(), ...input },
  })
  expect([status, body.problems]).toEqual([200, []])
  return body
}
const removeAll = async () => {
  const { body } = await ask(autoReplies.list)
  for (const { id } of body.autoReply) {
    await ask(autoReplies.update, { params: { id }, body: { isActive: false } })
    await ask(autoReplies.remove, { params: { id } })
  }
}

const nextPhone = () => String(++phone)
const { write, ticketOf, saidTo } = conversations(product, () => ({ tenantId, connectionId }))
const resolve = (id: number) => ask(tickets.update, { params: { id }, body: { status: 'closed', userId: agentId } })

it('is made, listed, found, changed by parts, and refused where something is missing', async () => {
  const { id, steps } = await created({ name: 'Aos poucos', isActive: false })
  expect(steps[0]!.actions[1]).toMatchObject({ words: '2', action: 0, nextStepId: steps[1]!.id, queueId: null })
  const { body: listed } = await ask(autoReplies.list, { query: { searchParam: 'poucos' } })
  expect([listed.autoReply.map((one: Json) => one['name']), listed.count]).toEqual([['Aos poucos'], 1])

  const { body: third } = await ask(autoReplies.createStep, {
    params: { id },
    body: { reply: 'Até logo', initialStep: true },
  })
  const params = { id, stepId: third.id }
  const { body: action } = await ask(autoReplies.createAction, {
    body: { stepReplyId: third.id, words: 'voltar', action: 0, nextStepId: steps[0]!.id },
  })
  await ask(autoReplies.updateAction, { params: { actionId: action.id }, body: { words: 'oi', action: 1, queueId } })
  await ask(autoReplies.updateStep, { params, body: { reply: 'Tchau' } })
  const { body: now } = await ask(autoReplies.get, { params: { id } })
  expect(now.steps.map((step: Json) => [step['reply'], step['initialStep']])).toEqual([
    [STEPS()[0]!['reply'], false],
    [STEPS()[1]!['reply'], false],
    ['Tchau', true],
  ])
  expect(now.steps[2].actions).toEqual([{ ...action, words: 'oi', action: 1, queueId, nextStepId: null }])
  expect((await ask(autoReplies.removeStep, { params: { id, stepId: steps[1]!.id } })).body.details).toEqual({
    stepId: 'Outra etapa leva a esta: mude antes o que segue dela.',
  })
  await ask(autoReplies.removeAction, { params: { actionId: action.id } })
  await ask(autoReplies.removeStep, { params })
  const left = steps.map((step) => ({ ...step, initialStep: false }))
  expect((await ask(autoReplies.get, { params: { id } })).body.steps).toEqual(left)

  const wrong = STEPS()
  wrong[0]!['actions'] = [
    word('1', { action: 1, queueId: 999_999 }),
    word('2', { action: 2 }),
    word('3', { action: 0, nextStepId: 77 }),
  ]
  const shown = await ask(autoReplies.update, { params: { id }, body: { steps: wrong } })
  expect([shown.status, shown.body.details]).toEqual([
    400,
    {
      'steps.0.actions.1.userIdDestination': 'Escolha o usuário.',
      'steps.0.actions.2.nextStepId': 'A próxima etapa não existe mais.',
    },
  ])
  wrong[0]!['actions'] = [word('1', { action: 1, queueId: 999_999 })]
  expect((await ask(autoReplies.update, { params: { id }, body: { steps: wrong } })).body.details).toEqual({
    'steps.0.actions.0.queueId': 'Esta fila não existe mais.',
  })
  expect((await ask(autoReplies.get, { params: { id: 999_999 } })).body.error).toBe('ERR_NO_AUTO_REPLY_FOUND')
  const { body: gone } = await ask(autoReplies.updateStep, { params: { id, stepId: 999_999 }, body: { reply: 'x' } })
  expect(gone.error).toBe('ERR_NO_STEP_AUTO_REPLY_FOUND')
  await removeAll()
})

it('attends new conversations that no flow attends, is nobody’s to draw, and stays while it attends', async () => {
  const { id } = await created({ name: 'Entrada' })
  const from = nextPhone()
  await write(from, 'Oi')
  expect(await saidTo(from)).toEqual([expect.stringMatching(/^Oi, .*! 1 vendas ou 2 prazo$/)])
  const { chat_flow_id: flowId, id: ticketId } = await ticketOf(from)
  expect((await ask(autoReplies.get, { params: { id } })).body.attending).toBe(1)
  expect((await ask(autoReplies.remove, { params: { id } })).body.error).toBe('ERR_AUTO_REPLY_RELATIONED_TICKET')
  const { body: why } = await ask(ticketFlow.get, { params: { id: ticketId } })
  expect(why).toMatchObject({ chatFlowId: flowId, name: 'Entrada' })
  // It is no regular flow: not listed, opened or selectable.
  expect((await ask(ticketCommands.chatFlows)).body.chatFlow).toEqual([])
  expect((await ask(flows.get, { params: { id: flowId } })).status).toBe(404)

  await write(from, 'VENDAS')
  expect((await saidTo(from)).slice(1)).toEqual(['Já chamo.'])
  expect(await ticketOf(from)).toMatchObject({ status: 'pending', queue_id: queueId, chat_flow_id: null })
  const other = nextPhone()
  await write(other, 'Oi', '2', 'sim')
  expect(await ticketOf(other)).toMatchObject({ status: 'pending', user_id: agentId })

  await ask(autoReplies.update, { params: { id }, body: { isActive: false } })
  const third = nextPhone()
  await write(third, 'Oi')
  expect(await saidTo(third)).toEqual([])
  await removeAll()
})

it('of a test number attends that number alone, and before that of everybody', async () => {
  const [test, other] = [nextPhone(), nextPhone()]
  await created({ name: 'De todos', steps: [{ reply: 'De todos', actions: [word('1', { action: 1, queueId })] }] })
  const one = { steps: [{ reply: 'Em teste', actions: [word('1', { action: 1, queueId })] }], celularTeste: test }
  await created({ name: 'Em teste', ...one })
  for (const from of [test, other]) await write(from, 'Oi')
  expect([await saidTo(test), await saidTo(other)]).toEqual([['Em teste'], ['De todos']])
  await removeAll()
})

it('a company has a hundred at most, also of twenty made at once', async () => {
  await product().platform.db.write(tenantId, (db) =>
    sql`insert into auto_replies (tenant_id, name, action, created_at, updated_at)
      select ${tenantId}, n::text, '0', now(), now() from generate_series(1, 98 - (select count(*) from auto_replies)) n`.execute(
      db,
    ),
  )
  const add = (_: unknown, n: number) => ask(autoReplies.create, { body: { name: `${1000 + n}` } })
  const replies = await Promise.all(Array.from({ length: 20 }, add))
  expect(replies.map(({ status, body }) => body.error ?? status).sort()).toEqual([
    ...[200, 200],
    ...Array.from({ length: 18 }, () => 'ERR_MAX_AUTO_REPLIES'),
  ])
  await product().platform.db.write(tenantId, (db) => sql`delete from auto_replies where name ~ '^[0-9]+$'`.execute(db))
})

it('without a step, or with a queue that is gone, it says so and answers nobody', async () => {
  const { body } = await ask(autoReplies.create, { body: { name: 'Vazia', isActive: true } })
  expect(body.problems).toEqual(['O início não leva a nenhuma etapa.'])
  const from = nextPhone()
  await write(from, 'Oi')
  expect(await saidTo(from)).toEqual([])
  expect((await ask(autoReplies.convert, { params: { id: body.id } })).body.error).toBe('ERR_FLOW_NOT_READY')
  await removeAll()
})

it('at a resolution it says its first step, and the word that answers it goes on with it', async () => {
  await created({
    ...{ name: 'Encerramento', action: 1 },
    steps: [{ reply: 'Precisa de mais algo? 1 sim', actions: [word('1', { action: 1, queueId })] }],
  })
  const from = nextPhone()
  await write(from, 'Olá')
  expect(await saidTo(from)).toEqual([])
  const { id } = await ticketOf(from)
  await resolve(id)
  expect(await saidTo(from)).toEqual(['Precisa de mais algo? 1 sim'])
  expect(await ticketOf(from)).toMatchObject({ id, status: 'closed', chat_flow_id: null })
  await write(from, '1')
  const next = await ticketOf(from)
  expect(next).toMatchObject({ status: 'pending', queue_id: queueId, chat_flow_id: null })
  expect(next.id).not.toBe(id)

  // After a day it is no longer an answer.
  const slow = nextPhone()
  await write(slow, 'Olá')
  const { id: asked } = await ticketOf(slow)
  await resolve(asked)
  await product().platform.db.write(tenantId, (db) =>
    db
      .updateTable('tickets')
      .set({ closed_at: new Date(Date.now() - 25 * 3_600_000) })
      .where('id', '=', asked)
      .execute(),
  )
  await write(slow, '1')
  expect(await ticketOf(slow)).toMatchObject({ status: 'pending', queue_id: null, chat_flow_id: null })

  // Any other message starts a conversation as if nothing had been asked.
  const other = nextPhone()
  await write(other, 'Olá')
  await resolve((await ticketOf(other)).id)
  await write(other, 'Outra coisa', '1')
  expect(await saidTo(other)).toEqual(['Precisa de mais algo? 1 sim'])
  expect(await ticketOf(other)).toMatchObject({ status: 'pending', queue_id: null, chat_flow_id: null })

  // A question of before the resolution does not count: the flow starts again.
  await created({
    name: 'Entrada',
    steps: [{ reply: 'Vendas? 1', actions: [word('1', { action: 1, queueId })] }],
  })
  const forced = nextPhone()
  await write(forced, 'Oi')
  await ask(tickets.force, { params: { id: (await ticketOf(forced)).id }, body: { status: 'closed' } })
  await write(forced, '1')
  expect(await saidTo(forced)).toEqual(['Vendas? 1', 'Vendas? 1'])
  await removeAll()
})

it('becomes a flow of the builder that does the same, and is off then', async () => {
  const { id } = await created({ name: 'Para converter' })
  const before = nextPhone()
  await write(before, 'Oi', '2')
  const { status, body } = await ask(autoReplies.convert, { params: { id } })
  expect(status).toBe(200)
  expect((await ask(autoReplies.get, { params: { id } })).body).toMatchObject({ isActive: false, attending: 0 })
  const { body: flow } = await ask(flows.get, { params: { id: body.chatFlowId } })
  expect(flow).toMatchObject({ name: 'Para converter', isActive: true, version: 1 })
  expect(flow.problems.filter((one: Json) => one['level'] === 'error')).toEqual([])

  const after = nextPhone()
  await write(after, 'Oi', '2')
  expect(await saidTo(after)).toEqual(await saidTo(before))
  // Conversations that were in the flow continue.
  for (const from of [before, after]) await write(from, 'sim')
  for (const from of [before, after]) expect(await ticketOf(from)).toMatchObject({ user_id: agentId })

  // Switched on again it gets a new flow, separate from the converted one.
  await ask(flows.remove, { params: { id: body.chatFlowId } })
  await ask(autoReplies.update, { params: { id }, body: { isActive: true } })
  const last = nextPhone()
  await write(last, 'Oi')
  expect(await saidTo(last)).toHaveLength(1)
})
