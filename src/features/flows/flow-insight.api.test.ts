import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ingestIdle } from '#features/ledger/server/ingest/ingest.ts'
import { receive } from '#features/ledger/server/ingest/journal.ts'
import { notifications } from '#features/messages/notifications-contract.ts'
import { ticketCommands } from '#features/tickets/commands-contract.ts'
import type { Json } from '#test/flow-steps.ts'
import { flowCompany, flowTalk } from '#test/flow-talk.ts'
import { make } from '#test/make.ts'
import { textEvent } from '#test/peers/channel.ts'
import { ownProduct } from '#test/server.ts'
import { flows, ticketFlow } from './contract.ts'
import { flowReplays, flowStats } from './insight-contract.ts'
import { checkNight, checkNights } from './server/nights.ts'
import { playPeriod } from './server/replay.ts'

// A Friday at noon in São Paulo.
const NOON = Date.UTC(2026, 10, 20, 15)
const MINUTE = 60_000
let clock = NOON
const product = ownProduct('its clock is set to a day', { now: () => new Date(clock) })
const m = () => make(product().platform)

let tenantId: number
let connectionId: number
let queueId: number
let admin: string
let owner: pg.Client
beforeAll(async () => {
  ;({ tenantId, connectionId, queueId, admin } = await flowCompany(product()))
  owner = new pg.Client({ connectionString: product().ownerUrl })
  await owner.connect()
})
afterAll(() => owner.end())

const { ask, attending } = flowTalk(product, () => ({ tenantId, connectionId, admin }))
const say = (message: string): Json => ({ id: 'm', type: 'MessageField', data: { message } })
const when = (value: string, rest: Json): Json => ({ id: value, type: 'R', condition: [value], ...rest })
const node = (id: string, interactions: Json[], conditions: Json[] = [], rest: Json = {}): Json => {
  return { id, name: `Etapa ${id}`, type: 'node', interactions, conditions, ...rest }
}
const shop = (tries = 1): Json => ({
  nodeList: [
    { id: 'start', type: 'start' },
    {
      id: 'c',
      type: 'configurations',
      configurations: { maxRetryBotMessage: { number: tries, type: 1, destiny: queueId } },
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
const published = async (flow = shop()) => ({ id: await attending(flow, { name: 'Loja' }) })
let people = 0
/** A new contact starts a conversation and sends further messages at intervals of minutes. */
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
  // Each number opens its conversations, newest first.
  const opened = async (query: Json, token = admin) =>
    (await ask(flowStats.conversations, { params, query: { nodeId: 'menu', ...query } }, token)).body.conversations.map(
      (one: Json) => one['ticketId'],
    )
  expect(await opened({})).toEqual([taken, waiting, lost, second, first])
  expect(await opened({ way: 'branch', index: 1 })).toEqual([second])
  expect(await opened({ way: 'tries' })).toEqual([lost])
  expect(await opened({ way: 'here' })).toEqual([waiting])
  // Only visible ones: a supervisor of this queue does not see tickets without queue.
  const lead = await m().user(tenantId, { profile: 'super', queues: [queueId] })
  await m().setting(tenantId, 'supervisorAdmin')
  expect(await opened({}, await m().token(lead))).toEqual([lost, second, first])

  // Filtered by period and version.
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

it('a step that asked once more is one visit, left by what answered it in the end', async () => {
  const params = await published(shop(3))
  await talk(['hein', '1'], 0)
  expect((await ask(flowStats.get, { params, query: {} })).body).toMatchObject({
    conversations: 1,
    steps: [{ nodeId: 'menu', visits: 1, medianMs: 0, ways: [{ way: 'branch', index: 0, count: 1 }] }],
  })
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

it('real conversations are played on the draft: same, in other words, by another way, to another end, or stuck', async () => {
  // Beyond the lifetime of a login.
  const later = async (profile: 'admin' | 'super', rest: Json = {}) =>
    m().token(await m().user(tenantId, { profile, ...rest }))
  admin = await later('admin')
  const params = await published()
  const from = clock
  const visited = {
    buy: await talk(['1']),
    order: await talk(['2', '77']),
    lost: await talk(['hein']),
    waiting: await talk(['2']),
  }
  clock += MINUTE
  const replay = async (token = admin) => ask(flowReplays.create, { params, body: { from, to: clock } }, token)
  const idsOf = async (id: number, outcome: string, token = admin) =>
    (await ask(flowReplays.pairs, { params: { ...params, replayId: id }, query: { outcome } }, token)).body.pairs.map(
      (one: Json) => one['ticketId'],
    )
  // The draft equals the published version: everything is the same, on its own version too.
  const same = await replay()
  expect([same.status, same.body]).toMatchObject([
    200,
    { total: 4, same: 4, words: 0, way: 0, end: 0, stuck: 0, unplayable: 0, isCapped: false },
  ])
  const night = { tenantId, chatFlowId: params.id, from: new Date(from), to: new Date(clock) }
  const bell = async () => (await ask(notifications.list, {})).body.notifications
  expect(await checkNight(product().platform, night)).toMatchObject({ total: 4, same: 4 })
  expect(await bell()).toEqual([])
  expect((await ask(flowReplays.latest, { params })).body).toMatchObject({
    last: { id: same.body.id, total: 4 },
    night: { total: 4, same: 4 },
  })
  // A manipulated record is found by the nightly check.
  await owner.query("update flow_steps set why = 'x' where why like 'A resposta corresponde a “1”%'")
  expect(await checkNight(product().platform, night)).toMatchObject({ total: 4, same: 3, way: 1 })
  expect(await bell()).toMatchObject([
    {
      ...{ ticketId: visited.buy, isReplay: true, isRead: false, by: null },
      text: expect.stringContaining('com o chatbot “Loja” não saiu como foi.'),
    },
  ])
  // Manipulated messages and session states differ as well; edits by users do not.
  const spoilt = "update messages set body = 'x' where ticket_id = $1 and send_type = 'bot'"
  await owner.query(spoilt, [visited.order])
  expect(await checkNight(product().platform, night)).toMatchObject({ total: 4, same: 2, way: 2 })
  await owner.query("update messages set edition = 'Oi' where ticket_id = $1 and send_type = 'bot'", [visited.order])
  expect(await checkNight(product().platform, night)).toMatchObject({ total: 4, same: 3, way: 1 })
  await owner.query(`update flow_sessions set state = state || '{"retries": 9}' where ticket_id = $1`, [visited.lost])
  expect(await checkNight(product().platform, night)).toMatchObject({ total: 4, same: 2, way: 2 })

  // Different words, path, end, and a question that was not asked in the original.
  const [start, settings, menu, askFor] = shop()['nodeList'] as [Json, Json, Json, Json]
  const changed = {
    nodeList: [
      start,
      { ...settings, configurations: { maxRetryBotMessage: { number: 2, type: 1, destiny: queueId } } },
      {
        ...menu,
        interactions: [say('Bom dia, {{firstName}}. 1 ou 2?')],
        conditions: [when('1', { action: 3, closeTicket: 'Tchau' }), when('2', { action: 0, nextStepId: 'both' })],
      },
      node(
        'both',
        [say('Um momento')],
        [{ id: 'n', type: 'US', on: 'hours', condition: ['open'], action: 0, nextStepId: 'ask' }],
        {
          wait: false,
        },
      ),
      askFor,
    ],
    lineList: [{ from: 'start', to: 'menu' }],
  }
  await ask(flows.import, { params, body: changed })
  const other = await replay()
  expect(other.body).toMatchObject({ total: 4, same: 0, words: 0, way: 2, end: 1, stuck: 1 })
  expect(await idsOf(other.body.id, 'end')).toEqual([visited.buy])
  expect(await idsOf(other.body.id, 'stuck')).toEqual([visited.lost])
  expect(await idsOf(other.body.id, 'way')).toEqual([visited.waiting, visited.order])
  const pairs = (
    await ask(flowReplays.pairs, { params: { ...params, replayId: other.body.id }, query: { outcome: 'end' } })
  ).body
  expect(pairs.pairs).toMatchObject([
    {
      before: {
        texts: [{ body: expect.stringMatching(/^Oi/) }, { isBot: false, body: '1' }],
        end: 'queue',
        id: queueId,
      },
      after: {
        texts: [{ isBot: true, body: expect.stringMatching(/^Bom dia/) }, { body: '1' }, { body: 'Tchau' }],
        path: [{ nodeId: 'menu', name: 'Etapa menu' }],
        end: 'closed',
      },
    },
  ])

  // Texts are for permitted users only, of visible conversations; a forgotten contact's are removed.
  const shy = await m().user(tenantId, { profile: 'admin' })
  await owner.query('update users set restricted_user = true where id = $1', [shy.id])
  const restricted = await m().token(shy)
  const masked = await ask(
    flowReplays.pairs,
    { params: { ...params, replayId: other.body.id }, query: { outcome: 'end' } },
    restricted,
  )
  expect(masked.body.pairs).toMatchObject([{ before: { texts: [], path: [{ nodeId: 'menu' }] }, after: { texts: [] } }])
  const lead = await later('super', { queues: [await m().queue(tenantId)] })
  expect(await idsOf(other.body.id, 'end', lead)).toEqual([])
  await owner.query('delete from flow_sessions where ticket_id = $1', [visited.buy])
  expect(await idsOf(other.body.id, 'end')).toEqual([])

  const foreign = await m().token(await m().user(await m().tenant(), { profile: 'admin' }))
  expect((await replay(foreign)).status).toBe(404)
  expect((await ask(flowReplays.create, { params, body: { from: 2, to: 1 } })).status).toBe(400)
  // One at a time, so that one tenant does not occupy all processors.
  const both = await Promise.all([replay(), replay()])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
})

it('conversations are played until the time is over, and what was counted until then is told', async () => {
  admin = await m().token(await m().user(tenantId, { profile: 'admin' }))
  const { id: chatFlowId } = await published()
  const ticketId = await talk(['1'])
  const { rows } = await owner.query<{ id: string }>('select id from flow_sessions where ticket_id = $1', [ticketId])
  const copied = [rows[0]!.id]
  // One more than a batch.
  await owner.query(
    `with more as (insert into flow_sessions select (jsonb_populate_record(s, jsonb_build_object('id', gen_random_uuid()))).*
       from flow_sessions s, generate_series(1, 200) where s.id = $1 returning tenant_id, id),
     events as (insert into flow_events (tenant_id, session_id, event)
       select m.tenant_id, m.id, e.event from more m, flow_events e where e.session_id = $1 order by m.id, e.id)
     insert into flow_steps select (jsonb_populate_record(p, jsonb_build_object('session_id', m.id))).*
       from more m, flow_steps p where p.session_id = $1`,
    copied,
  )
  const wanted = { chatFlowId, from: new Date(0), to: new Date(clock + 1), draft: shop(), most: 10_000 }
  const of = { platform: product().platform, tenantId }
  expect((await playPeriod(of, wanted)).counts).toMatchObject({ total: 201, same: 201, isCapped: false })
  expect((await playPeriod(of, { ...wanted, most: 150 })).counts).toMatchObject({ total: 150, isCapped: true })
  // They began two minutes ago, outside of the period.
  const before = { ...wanted, to: new Date(clock - 2 * MINUTE) }
  expect((await playPeriod(of, before)).counts).toMatchObject({ total: 0 })
  // The margin before the time limit has already begun.
  expect((await playPeriod(of, { ...wanted, mostMs: 5000 })).counts).toMatchObject({ total: 200, isCapped: true })
})

it('each published flow is checked once a night, by the company’s clock', async () => {
  const { id } = await published()
  const unpublished = (await ask(flows.create, { body: { name: 'Rascunho' } })).body
  await talk(['1'])
  const nights = async () => {
    await checkNights(product().platform, new AbortController().signal)
    const { rows } = await owner.query<{ id: number; total: number }>(
      `select chat_flow_id::int as id, (counts->>'total')::int as total from flow_replays
       where chat_flow_id = any($1) and definition is null order by id`,
      [[id, unpublished.id]],
    )
    return rows
  }
  // No check at noon; one at three in the morning, and the next one the night after.
  expect(await nights()).toEqual([])
  const begin = clock
  clock = Math.floor(begin / (24 * 60 * MINUTE)) * 24 * 60 * MINUTE + 30 * 60 * MINUTE
  expect(await nights()).toEqual([{ id, total: 1 }])
  clock += 30 * MINUTE
  expect(await nights()).toHaveLength(1)
  clock += 24 * 60 * MINUTE
  expect(await nights()).toEqual([
    { id, total: 1 },
    { id, total: 0 },
  ])
  clock = begin
})

it('each version counts its own of a conversation that comes back to its flow, which goes as it went when it is played again', async () => {
  admin = await m().token(await m().user(tenantId, { profile: 'admin' }))
  const tag = await m().tag(tenantId)
  const any = (rest: Json): Json => ({ id: 'any', type: 'US', ...rest })
  const starts = (chatFlow: number): Json => ({ id: 'f', type: 'ChatFlowField', data: { chatFlow } })
  const other = await published()
  const menu = (text: string): Json => ({
    nodeList: [
      node('menu', [say(text)], [any({ action: 0, nextStepId: 'leave' })]),
      // Sets a tag that the next flow tests, in one step.
      node('leave', [{ id: 't', type: 'TagField', data: { tag } }, starts(other.id)]),
    ],
    lineList: [{ from: 'start', to: 'menu' }],
  })
  const params = await published(menu('Um'))
  const tagged = { ...when(String(tag), { action: 0, nextStepId: 'talk' }), on: 'tags' }
  const back: Json = {
    nodeList: [
      node('judge', [], [tagged, any({ action: 1, queueId })], { wait: false }),
      node('talk', [say('Outro')], [any({ action: 0, nextStepId: 'back' })]),
      node('back', [starts(params.id)]),
    ],
    lineList: [{ from: 'start', to: 'judge' }],
  }
  await ask(flows.import, { params: other, body: back })
  expect((await ask(flows.publish, { params: other })).status).toBe(200)
  const from = clock
  await talk(['1'])
  await ask(flows.import, { params, body: menu('Dois') })
  expect((await ask(flows.publish, { params })).body).toEqual({ version: 2 })
  clock += MINUTE
  const again = textEvent({ from: `55119300${String(people).padStart(5, '0')}`, body: 'ok' })
  await receive(product().platform, { tenantId, connectionId }, [again])
  await ingestIdle(product().platform)
  for (const [version, visits] of [
    [1, { menu: 1, leave: 1 }],
    [2, { menu: 1 }],
  ] as const) {
    const { body } = await ask(flowStats.get, { params, query: { version } })
    const counted = body.steps.map((one: Json) => [one['nodeId'], one['visits']])
    expect([body.conversations, Object.fromEntries(counted)]).toEqual([1, visits])
  }
  const night = { tenantId, chatFlowId: params.id, from: new Date(from), to: new Date(clock + 1) }
  expect(await checkNight(product().platform, night)).toMatchObject({ total: 1, same: 1 })
  const replayed = await ask(flowReplays.create, { params, body: { from, to: clock + 1 } })
  expect([replayed.status, replayed.body.total]).toEqual([200, 1])
  // Recordings of an engine that decides differently prove nothing.
  await owner.query("update flow_events set event = event || '{\"engine\": 0}' where event->>'type' = 'start'")
  expect(await checkNight(product().platform, night)).toMatchObject({ total: 0 })
})

it('what is told is the newest that a flow did in a ticket, each step with its name in the flow that it was in', async () => {
  admin = await m().token(await m().user(tenantId, { profile: 'admin' }))
  const other = await published({
    ...shop(),
    nodeList: [node('z', [say('Outro')], [when('1', { action: 1, queueId })])],
    lineList: [{ from: 'start', to: 'z' }],
  })
  const begins = node('a', [{ id: 'f', type: 'ChatFlowField', data: { chatFlow: other.id } }])
  const params = await published({ nodeList: [begins], lineList: [{ from: 'start', to: 'a' }] })
  const ticketId = await talk([])
  const story = async () => (await ask(ticketFlow.get, { params: { id: ticketId } })).body
  expect(await story()).toMatchObject({
    startedWith: params.id,
    chatFlowId: other.id,
    steps: [{ name: 'Etapa a' }, { name: 'Etapa z' }],
  })
  clock += MINUTE
  await ask(ticketCommands.toChatFlow, { params: { id: ticketId }, body: { chatFlowId: other.id } })
  expect(await story()).toMatchObject({ startedWith: other.id, steps: [{ name: 'Etapa z' }] })
})
