import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { USUAL_WEEK } from '#domain/calendar/business-hours.ts'
import { ingestIdle } from '#features/ledger/server/ingest/ingest.ts'
import { receive } from '#features/ledger/server/ingest/journal.ts'
import { goTo, type Json, node } from '#test/flow-steps.ts'
import { flowCompany, flowTalk } from '#test/flow-talk.ts'
import { make } from '#test/make.ts'
import { textEvent } from '#test/peers/channel.ts'
import { withProduct } from '#test/server.ts'
import { flows } from './contract.ts'

// A Friday at noon in São Paulo.
const NOON = Date.UTC(2026, 10, 20, 15)
const MINUTE = 60_000
const product = withProduct({ now: () => new Date(NOON) })
const m = () => make(product().platform)

let tenantId: number
let connectionId: number
let queueId: number
let admin: string
let agent: string
let owner: pg.Client
beforeAll(async () => {
  ;({ tenantId, connectionId, queueId, admin } = await flowCompany(product()))
  agent = await m().token(await m().user(tenantId))
  owner = new pg.Client({ connectionString: product().ownerUrl })
  await owner.connect()
})
afterAll(() => owner.end())

const { ask } = flowTalk(product, () => ({ tenantId, connectionId, admin }))
const say = (message: string): Json => ({ id: 'm', type: 'MessageField', data: { message } })
const when = (value: string, rest: Json): Json => ({ id: value, type: 'R', condition: [value], ...rest })
const any = (rest: Json): Json => ({ id: 'any', type: 'US', ...rest })
const shop = (greeting = 'Oi, {{firstName}}'): Json => ({
  nodeList: [
    { id: 'start', type: 'start' },
    { id: 'c', type: 'configurations', configurations: { outOpenHours: { type: 3, destiny: 'Fechado' } } },
    node(
      'menu',
      [{ id: 'o', type: 'MessageOptionsField', data: { message: greeting, values: ['Pedido', 'Pessoa'] } }],
      [when('Pedido', goTo('ask')), when('Pessoa', { action: 1, queueId })],
    ),
    node('ask', [say('Número?')], [any(goTo('shop'))], { variableKey: 'n' }),
    node(
      'shop',
      [
        { id: 'w', type: 'WebhookField', data: { webhook: 'https://loja.example/{{n}}?token=abc', saveAs: 'loja' } },
        say('Total {{loja.total|desconhecido}}'),
      ],
      [any({ action: 1, queueId })],
    ),
  ],
  lineList: [{ from: 'start', to: 'menu' }],
})
async function made(flow = shop()): Promise<{ id: number }> {
  const { body } = await ask(flows.create, { body: { name: 'Loja' } })
  await ask(flows.import, { params: { id: body.id }, body: flow })
  return { id: body.id }
}
const words = (...texts: string[]) => texts.map((text, index) => ({ at: NOON + (index + 1) * MINUTE, text }))
const rowsOf = async () => {
  const { rows } = await owner.query(
    `select (select count(*) from messages) as messages, (select count(*) from tickets) as tickets, (select count(*) from flow_sessions) as sessions,
       (select count(*) from changes) as changes, (select count(*) from graphile_worker.jobs) as jobs, (select count(*) from contacts) as contacts`,
  )
  return rows[0]
}

it('a draft is talked to: with whom, where, when and with what outside answers is chosen, and nothing is kept', async () => {
  const params = await made()
  const kanban = await m().insert('stages', tenantId, { name: 'Pós-venda', color: '#15803d', position: 1 })
  const contactId = await m().contact(tenantId, { name: 'Joana Prado', kanban, kanban_order: 'a0' })
  const before = await rowsOf()
  const play = async (rest: Json, token = admin) =>
    ask(flows.simulate, { params, body: { at: NOON, events: [], ...rest } }, token)
  const plain = (await play({ events: words('2') })).body
  expect(plain).toMatchObject({
    messages: [{ at: NOON, body: 'Oi, Maria\n1 - Pedido\n2 - Pessoa', buttons: [] }],
    path: ['menu'],
    end: 'queue',
    contactName: 'Maria Souza',
    known: { firstName: 'Maria' },
    steps: [
      { at: NOON, nodeId: 'menu', why: 'O fluxo começou.', event: null },
      { at: NOON + MINUTE, nodeId: 'menu', why: 'A resposta corresponde a “Pessoa” em “menu”.', event: 0 },
    ],
    effects: [{ at: NOON + MINUTE, type: 'direct', id: queueId }],
  })
  expect((await play({ contactId, channel: 'webchat' })).body).toMatchObject({
    contactName: 'Joana Prado',
    messages: [{ body: 'Oi, Joana', buttons: ['Pedido', 'Pessoa'] }],
    end: null,
    waiting: 'answer',
  })
  const asked = (await play({ events: words('pedido', '77') })).body
  expect(asked).toMatchObject({
    path: ['menu', 'ask', 'shop'],
    end: null,
    variables: { n: '77' },
    call: { nodeId: 'shop', method: 'GET', url: 'https://loja.example/77?token=••••', saveAs: 'loja' },
  })
  const answered = await play({
    events: words('pedido', '77', 'ok'),
    answers: [{ status: 200, body: '{"total":"5"}' }],
  })
  expect(answered.body).toMatchObject({ end: 'queue', call: null })
  expect(answered.body.messages.at(-1).body).toBe('Total 5')
  await owner.query("insert into settings (tenant_id, key, value) values ($1, 'businessHours', $2)", [
    tenantId,
    JSON.stringify(USUAL_WEEK.map((day) => ({ ...day, type: 'C' }))),
  ])
  product().platform.bus.stale(`settings ${tenantId}`)
  expect((await play({})).body).toMatchObject({ messages: [{ body: 'Fechado' }], path: [], end: 'closed' })
  await owner.query("delete from settings where tenant_id = $1 and key = 'businessHours'", [tenantId])
  product().platform.bus.stale(`settings ${tenantId}`)
  expect(await rowsOf()).toEqual(before)
  const shy = await m().user(tenantId, { profile: 'admin' })
  await owner.query('update users set restricted_user = true where id = $1', [shy.id])
  const masked = (await play({ contactId, channel: 'webchat' }, await m().token(shy))).body
  expect([masked.contactName, masked.messages[0].body]).toEqual(['Joana…', 'Oi, Joana…'])
  await ask(flows.update, { params, body: { flow: shop('{{kanban|novo}} {{email}}') } })
  const staged = (await play({ contactId })).body
  expect([staged.messages[0].body, staged.known]).toEqual([
    expect.stringMatching(/^Pós-venda /),
    expect.objectContaining({ kanban: 'Pós-venda' }),
  ])
  expect(Object.keys(staged.known)).not.toContain('firstName')

  const foreign = await m().contact(await m().tenant(), { name: 'De fora' })
  const refused: [Json, number, string][] = [
    [{ contactId: foreign }, 404, 'ERR_NO_CONTACT_FOUND'],
    [{ channel: 'pombo' }, 400, 'ERR_VALIDATION'],
    [{ events: [{ at: -1, text: 'x' }] }, 400, 'ERR_VALIDATION'],
    [{ events: Array.from({ length: 201 }, () => ({ at: NOON, text: 'x' })) }, 400, 'ERR_VALIDATION'],
  ]
  for (const [body, status, error] of refused) {
    const answer = await play(body)
    expect([body, answer.status, answer.body.error]).toEqual([body, status, error])
  }
  expect((await play({}, agent)).status).toBe(403)
})

it('cases are run with every save, show what they enter, and keep a flow from being published while they fail', async () => {
  const params = await made()
  const add = async (name: string, rest: Json) =>
    (await ask(flows.createCase, { params, body: { name, at: NOON, ...rest } })).body.id
  const person = await add('Pessoa', { events: words('pessoa'), expect: { path: ['menu'], end: 'queue' } })
  const order = await add('Pedido', {
    events: words('1', '77'),
    answers: [{ status: 200, body: '{"total":"5"}' }],
    expect: { messages: ['Oi, Maria\n1 - Pedido\n2 - Pessoa', 'Número?', 'Total 5'], end: null },
  })
  const passing = {
    cases: [
      { id: person, isPassed: true },
      { id: order, isPassed: true, differences: [] },
    ],
  }
  expect((await ask(flows.runCases, { params })).body).toMatchObject({ ...passing, coverage: ['menu', 'ask', 'shop'] })
  expect((await ask(flows.listCases, { params })).body.branches).toEqual([
    { nodeId: 'menu', index: 1 },
    { nodeId: 'menu', index: 0 },
    { nodeId: 'ask', index: 0 },
  ])
  expect((await ask(flows.publish, { params })).status).toBe(200)
  const changed = (await ask(flows.update, { params, body: { flow: shop('Olá') } })).body
  expect(changed).toMatchObject({
    problems: [],
    cases: [
      { id: person, isPassed: true },
      {
        id: order,
        name: 'Pedido',
        isPassed: false,
        differences: [
          {
            field: 'messages',
            expected: ['Oi, Maria\n1 - Pedido\n2 - Pessoa', 'Número?', 'Total 5'],
            actual: ['Olá\n1 - Pedido\n2 - Pessoa', 'Número?', 'Total 5'],
          },
        ],
      },
    ],
  })
  const refused = await ask(flows.publish, { params })
  expect([refused.status, refused.body.error]).toEqual([422, 'ERR_FLOW_NOT_READY'])
  expect((await ask(flows.publish, { params, body: { share: 5 } })).status).toBe(422)
  expect(refused.body.details).toMatchObject({ problems: [], cases: [{ id: order, isPassed: false }] })
  const listed = (await ask(flows.listCases, { params })).body
  expect(listed.cases[1]).toMatchObject({ id: order, at: NOON, events: words('1', '77'), expect: { end: null } })
  expect((await ask(flows.removeCase, { params: { ...params, caseId: order } })).status).toBe(200)
  expect((await ask(flows.removeCase, { params: { ...params, caseId: order } })).body.error).toBe(
    'ERR_NO_FLOW_CASE_FOUND',
  )
  expect((await ask(flows.publish, { params })).body).toEqual({ version: 2 })
  // Cases of another flow are not accessible.
  const other = await made()
  await owner.query(
    `insert into flow_cases (tenant_id, chat_flow_id, name, conversation, expect, created_at)
     select $1, $2, n::text, '{}', '{}', now() from generate_series(1, 200) n`,
    [tenantId, other.id],
  )
  const full = await ask(flows.createCase, { params: other, body: { name: 'x', at: NOON, events: [], expect: {} } })
  expect([full.status, full.body.error]).toEqual([409, 'ERR_MAX_FLOW_CASES'])
  expect((await ask(flows.removeCase, { params: { ...other, caseId: person } })).status).toBe(404)
  expect((await ask(flows.import, { params, body: shop('Oi') })).body).toMatchObject({
    problems: [],
    coverage: ['menu'],
  })
})

it('what happened to a customer becomes a case: the same words lead the same way', async () => {
  const params = await made()
  await ask(flows.publish, { params })
  await owner.query('update connections set chat_flow_id = $1 where id = $2', [params.id, connectionId])
  const from = '5511920000001'
  for (const body of ['oi', 'pedido?', '2']) {
    await receive(product().platform, { tenantId, connectionId }, [textEvent({ from, body })])
    await ingestIdle(product().platform)
  }
  const { rows } = await owner.query<{ id: number }>(
    'select id::int from tickets where tenant_id = $1 and conversation_key = $2',
    [tenantId, from],
  )
  const ticketId = rows[0]!.id
  const { status, body } = await ask(flows.caseOfTicket, { params, body: { name: 'De verdade', ticketId } })
  expect(status).toBe(200)
  expect((await ask(flows.listCases, { params })).body.cases).toMatchObject([
    {
      id: body.id,
      name: 'De verdade',
      events: [{ text: 'pedido?' }, { text: '2' }],
      channel: 'test',
      expect: { path: ['menu'], end: 'queue' },
      isPassed: true,
    },
  ])
  const gone = structuredClone(shop()) as { nodeList: { conditions?: Json[] }[] }
  gone.nodeList[2]!.conditions!.splice(1)
  await ask(flows.update, { params, body: { flow: gone } })
  expect((await ask(flows.publish, { params })).body.details.cases).toMatchObject([{ name: 'De verdade' }])
  const other = await made()
  const refused = await ask(flows.caseOfTicket, { params: other, body: { name: 'x', ticketId } })
  expect([refused.status, refused.body.error]).toEqual([404, 'ERR_NO_FLOW_SESSION_FOUND'])
})

it('a case of a real conversation knows what was known then: tags, a first ticket, and what conditions ask of variables', async () => {
  const decides = (values: string[], on: string, rest: Json): Json => ({
    ...when(values[0]!, rest),
    on,
    condition: values,
  })
  const tag = await m().tag(tenantId)
  const field = await m().insert('contact_fields', tenantId, {
    ...{ name: 'Plano', type: 'text', position: 1, created_at: new Date(NOON), updated_at: new Date(NOON) },
  })
  const flow: Json = {
    nodeList: [
      { id: 'c', type: 'configurations', configurations: { firstInteraction: { type: 1, destiny: queueId } } },
      node('ask', [{ id: 't', type: 'TagField', data: { tag } }, say('Oi')], [any(goTo('plan'))]),
      node(
        'plan',
        [],
        [decides(['Ouro'], 'variable', { ...goTo('gold'), variable: 'campo.plano' }), any({ action: 1, queueId })],
        { wait: false },
      ),
      node('gold', [], [decides([String(tag)], 'tags', goTo('vip')), any({ action: 1, queueId })], { wait: false }),
      node('vip', [say('Bem-vinda de volta')], [any({ action: 1, queueId })]),
    ],
    lineList: [{ from: 'start', to: 'ask' }],
  }
  const params = await made(flow)
  expect((await ask(flows.publish, { params })).status).toBe(200)
  await owner.query('update connections set chat_flow_id = $1 where id = $2', [params.id, connectionId])
  const from = '5511920000002'
  const caseOf = async (name: string, words: readonly string[]) => {
    for (const body of words) {
      await receive(product().platform, { tenantId, connectionId }, [textEvent({ from, body })])
      await ingestIdle(product().platform)
    }
    const { rows } = await owner.query<{ id: number; contact: number }>(
      'select id::int, contact_id::int as contact from tickets where conversation_key = $1 order by id desc limit 1',
      [from],
    )
    const { id: ticketId, contact } = rows[0]!
    expect((await ask(flows.caseOfTicket, { params, body: { name, ticketId } })).status).toBe(200)
    const one = (await ask(flows.listCases, { params })).body.cases.find((found: Json) => found['name'] === name)
    return { one, ticketId, contact }
  }
  const first = await caseOf('Primeiro', ['oi'])
  expect(first.one).toMatchObject({
    expect: { path: [], end: 'queue' },
    known: { isFirstTicket: true },
    isPassed: true,
  })
  await owner.query("update tickets set status = 'closed', closed_at = now() where id = $1", [first.ticketId])
  await owner.query(
    'insert into contact_field_values (tenant_id, contact_id, field_id, value) values ($1, $2, $3, $4)',
    [...[tenantId, first.contact, field, 'Ouro']],
  )
  const { one } = await caseOf('Volta', ['oi', 'sim'])
  expect(one).toMatchObject({
    expect: { path: ['ask', 'plan', 'gold', 'vip'], end: null },
    known: { isFirstTicket: false, values: { 'campo.plano': 'Ouro' } },
    isPassed: true,
  })
  // The simulator opens the stored conversation.
  const { at, events, answers, channel, known } = one
  const played = await ask(flows.simulate, { params, body: { at, events, answers, channel, known } })
  expect(played.body.path).toEqual(['ask', 'plan', 'gold', 'vip'])
  // The expected path is the one that was taken.
  const { rows } = await owner.query<{ nodes: string[] }>(
    `select array_agg(p.node_id order by p.number) as nodes from flow_steps p join flow_sessions s on s.id = p.session_id
     where p.is_entry and s.ticket_id = (select max(id) from tickets where conversation_key = $1)`,
    [from],
  )
  expect(rows[0]!.nodes).toEqual(one.expect.path)
})

it('a draft knows the hours of each moment, the flows that are published, and who is there', async () => {
  const own = await m().queue(tenantId)
  const there = await m().person(tenantId, { queues: [own] })
  await owner.query('update users set is_online = true, capacity = 5 where id = $1', [there.id])
  const other = await made({
    nodeList: [node('z', [say('Outro')], [any({ action: 1, queueId: own })])],
    lineList: [{ from: 'start', to: 'z' }],
  })
  expect((await ask(flows.publish, { params: other })).status).toBe(200)
  const closed = { ...when('closed', { action: 1, queueId: own }), on: 'hours' }
  const distributes = { autoDistributeTickets: { type: 'B' } }
  const params = await made({
    nodeList: [
      { id: 'c', type: 'configurations', configurations: distributes },
      node('a', [say('Oi')], [closed, any(goTo('b'))]),
      node('b', [{ id: 'f', type: 'ChatFlowField', data: { chatFlow: other.id } }]),
    ],
    lineList: [{ from: 'start', to: 'a' }],
  })
  await owner.query("insert into settings (tenant_id, key, value) values ($1, 'businessHours', $2)", [
    ...[tenantId, JSON.stringify(USUAL_WEEK)],
  ])
  product().platform.bus.stale(`settings ${tenantId}`)
  // Opens at eleven; the time is one in the afternoon, when it is closed.
  const at = NOON - 60 * MINUTE
  const play = async (later: number) =>
    (await ask(flows.simulate, { params, body: { at, events: [{ at: at + later * MINUTE, text: 'oi' }] } })).body
  expect((await play(120)).effects.at(-1)).toMatchObject({ type: 'direct', id: own, userId: there.id })
  expect(await play(1)).toMatchObject({
    path: ['a', 'b', 'z'],
    messages: [{ body: 'Oi' }, { body: 'Outro' }],
    end: null,
  })
  await owner.query("delete from settings where tenant_id = $1 and key = 'businessHours'", [tenantId])
  product().platform.bus.stale(`settings ${tenantId}`)
})
