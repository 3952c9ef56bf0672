import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ingestIdle, receive } from '#features/conversations/server/index.ts'
import { make } from '#test/make.ts'
import { testChannel, textEvent } from '#test/peers/channel.ts'
import { call, withProduct } from '#test/server.ts'
import { flows, ticketFlow } from './contract.ts'
import { flowStats } from './insight-contract.ts'

// A Friday at noon in São Paulo.
const NOON = Date.UTC(2026, 10, 20, 15)
const MINUTE = 60_000
let clock = NOON
const product = withProduct({ now: () => new Date(clock) })
const m = () => make(product().platform)

let tenantId: number
let connectionId: number
let queueId: number
let admin: string
let owner: pg.Client
beforeAll(async () => {
  testChannel(product().platform)
  tenantId = await m().tenant()
  queueId = await m().queue(tenantId)
  connectionId = await m().connection(tenantId, { type: 'test' })
  admin = await m().token(await m().user(tenantId, { profile: 'admin' }))
  owner = new pg.Client({ connectionString: product().ownerUrl })
  await owner.connect()
})
afterAll(() => owner.end())

type Json = Record<string, unknown>
// biome-ignore lint/suspicious/noExplicitAny: answers are judged by what they have.
const ask = (op: any, input: Json, token = admin) => call(product(), op, token, input as never) as any
const say = (message: string): Json => ({ id: 'm', type: 'MessageField', data: { message } })
const when = (value: string, rest: Json): Json => ({ id: value, type: 'R', condition: [value], ...rest })
const node = (id: string, interactions: Json[], conditions: Json[] = [], rest: Json = {}): Json => {
  return { id, name: `Etapa ${id}`, type: 'node', interactions, conditions, ...rest }
}
const shop = (): Json => ({
  nodeList: [
    { id: 'start', type: 'start' },
    {
      id: 'c',
      type: 'configurations',
      configurations: { maxRetryBotMessage: { number: 1, type: 1, destiny: queueId } },
    },
    node(
      'menu',
      [say('Oi, {{firstName}}. 1 ou 2?')],
      [when('1', { action: 1, queueId }), when('2', { action: 0, nextStepId: 'ask' })],
    ),
    node('ask', [say('Número?')], [{ id: 'any', type: 'US', action: 1, queueId }], { variableKey: 'n' }),
  ],
  lineList: [{ from: 'start', to: 'menu' }],
})
async function published(flow = shop()): Promise<{ id: number }> {
  const { body } = await ask(flows.create, { body: { name: 'Loja' } })
  await ask(flows.import, { params: { id: body.id }, body: flow })
  expect((await ask(flows.publish, { params: { id: body.id } })).status).toBe(200)
  await owner.query('update connections set chat_flow_id = $1 where id = $2', [body.id, connectionId])
  return { id: body.id }
}
let people = 0
/** Somebody new begins with a word, and says the others each so many minutes later. */
async function talk(words: readonly string[], minutes = 2): Promise<number> {
  const from = `55119300${String(++people).padStart(5, '0')}`
  for (const [index, body] of ['oi', ...words].entries()) {
    if (index > 0) clock += minutes * MINUTE
    await receive(product().platform, { tenantId, connectionId }, [textEvent({ from, body })])
    await ingestIdle(product().platform)
  }
  const { rows } = await owner.query<{ id: number }>('select id::int from tickets where conversation_key = $1', [from])
  return rows[0]!.id
}

it('where conversations went is counted by step, way, version and period, and opens those that one may see', async () => {
  const params = await published()
  const first = await talk(['1'])
  const second = await talk(['2', '77'], 4)
  const lost = await talk(['hein'])
  const waiting = await talk([])
  const taken = await talk([])
  await owner.query('update tickets set chat_flow_id = null where id = $1', [taken])
  const stats = async (query: Json = {}) => (await ask(flowStats.get, { params, query })).body
  expect(await stats()).toMatchObject({
    version: 1,
    conversations: 5,
    isCapped: false,
    steps: [
      { nodeId: 'ask', visits: 1, medianMs: 4 * MINUTE, ways: [{ way: 'branch', index: 0, count: 1 }] },
      {
        nodeId: 'menu',
        visits: 5,
        medianMs: 2 * MINUTE,
        ways: [
          { way: 'branch', index: 0, count: 1 },
          { way: 'branch', index: 1, count: 1 },
          { way: 'here', index: null, count: 1 },
          { way: 'person', index: null, count: 1 },
          { way: 'tries', index: null, count: 1 },
        ],
      },
    ],
  })
  // Each number opens what it counts, the newest first.
  const opened = async (query: Json, token = admin) =>
    (await ask(flowStats.conversations, { params, query: { nodeId: 'menu', ...query } }, token)).body.conversations.map(
      (one: Json) => one['ticketId'],
    )
  expect(await opened({})).toEqual([taken, waiting, lost, second, first])
  expect(await opened({ way: 'branch', index: 1 })).toEqual([second])
  expect(await opened({ way: 'tries' })).toEqual([lost])
  expect(await opened({ way: 'here' })).toEqual([waiting])
  // Only what one may see: a supervisor of this queue sees none of those that are in none.
  const lead = await m().user(tenantId, { profile: 'super', queues: [queueId] })
  await m().setting(tenantId, 'supervisorAdmin')
  expect(await opened({}, await m().token(lead))).toEqual([lost, second, first])

  // By period and version.
  expect(await stats({ from: NOON, to: NOON + 1 })).toMatchObject({
    conversations: 1,
    steps: [{ nodeId: 'menu', visits: 1 }],
  })
  await ask(flows.publish, { params })
  expect(await stats()).toMatchObject({ version: 2, conversations: 0, steps: [] })
  expect(await stats({ version: 1 })).toMatchObject({ conversations: 5 })
  expect((await ask(flowStats.get, { params, query: { version: 9 } })).body.error).toBe('ERR_NO_FLOW_VERSION_FOUND')
  expect((await ask(flowStats.get, { params, query: { from: NOON, to: 1 } })).status).toBe(400)
  const draft = (await ask(flows.create, { body: { name: 'Rascunho' } })).body
  expect((await ask(flowStats.get, { params: draft })).body).toMatchObject({ version: null, steps: [] })
})

it('why the bot did what it did is told with the names of its steps, and which of them brought a message about', async () => {
  const params = await published()
  const ticketId = await talk(['2'])
  const story = async (query: Json = {}, token = admin) =>
    ask(ticketFlow.get, { params: { id: ticketId }, query }, token)
  const steps = [
    { nodeId: 'menu', name: 'Etapa menu', why: 'O fluxo começou.', isReason: false },
    { nodeId: 'ask', name: 'Etapa ask', why: 'A resposta corresponde a “2” em “Etapa menu”. Segue em “Etapa ask”.' },
  ]
  expect((await story()).body).toMatchObject({
    chatFlowId: params.id,
    version: 1,
    name: 'Loja',
    startedWith: params.id,
    steps,
  })
  const { rows } = await owner.query<{ id: string; body: string }>(
    "select id, body from messages where ticket_id = $1 and send_type = 'bot' order by seq",
    [ticketId],
  )
  expect(rows.map(({ body }) => body)).toEqual([expect.stringMatching('1 ou 2'), 'Número?'])
  const reasonOf = async (messageId: string) =>
    (await story({ messageId })).body.steps.flatMap((one: Json) => (one['isReason'] ? [one['nodeId']] : []))
  expect(await reasonOf(rows[0]!.id)).toEqual(['menu'])
  expect(await reasonOf(rows[1]!.id)).toEqual(['ask'])
  const { rows: own } = await owner.query<{ id: string }>(
    'select id from messages where ticket_id = $1 and not from_me',
    [ticketId],
  )
  expect((await story({ messageId: own[0]!.id })).body).toMatchObject({ chatFlowId: null, steps: [] })
  const foreign = await m().token(await m().user(await m().tenant(), { profile: 'admin' }))
  expect((await story({}, foreign)).status).toBe(404)
})
