import { io } from 'socket.io-client'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { ingestIdle } from '#features/ledger/server/ingest/ingest.ts'
import { receive } from '#features/ledger/server/ingest/journal.ts'
import { settings } from '#features/settings/contract.ts'
import { ticketCommands } from '#features/tickets/commands-contract.ts'
import { make, type Person } from '#test/make.ts'
import { testChannel, textEvent } from '#test/peers/channel.ts'
import { call, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { flows } from './contract.ts'

const product = withProduct()
const m = () => make(product().platform)

let tenantId: number
let ana: Person
let bia: Person
let caio: Person
let stranger: Person
beforeAll(async () => {
  testChannel(product().platform)
  tenantId = await m().tenant()
  ana = await m().person(tenantId, { name: 'Ana', profile: 'admin' })
  bia = await m().person(tenantId, { name: 'Bia', profile: 'super' })
  caio = await m().person(tenantId, { name: 'Caio' })
  stranger = await m().person(await m().tenant(), { profile: 'admin' })
})

type Json = Record<string, unknown>
// biome-ignore lint/suspicious/noExplicitAny: answers are judged by what they have.
const ask = (op: any, input: Json, { token }: Person = ana) => call(product(), op, token, input) as any
const asking = (text: string, keyword = ''): Json => ({
  nodeList: [
    { id: 'c', type: 'configurations', configurations: { keyword: { message: keyword } } },
    {
      ...{ id: 'a', name: 'Início', type: 'node', conditions: [{ id: 'x', type: 'US', action: 0, nextStepId: 'a' }] },
      interactions: [{ id: 'm', type: 'MessageField', data: { message: text } }],
    },
  ],
  lineList: [{ from: 'start', to: 'a' }],
})
async function made(text = 'Versão um'): Promise<{ id: number }> {
  const { body } = await ask(flows.create, { body: { name: 'Loja' } })
  await ask(flows.import, { params: { id: body.id }, body: asking(text) })
  return { id: body.id }
}

type Told = { type: string; payload: { chatFlowId: number } & Json }
/** Connects a user's socket and records flow events. */
async function listening({ token, tenantId: of }: Person): Promise<Told[]> {
  const options = { transports: ['websocket'], auth: { token }, forceNew: true, reconnection: false }
  const socket = io(product().address, options)
  onTestFinished(() => void socket.disconnect())
  const told: Told[] = []
  socket.on(`${of}:chatFlow`, ({ type, payload }: Told) => told.push({ type, payload }))
  await new Promise((resolve) => socket.once('connect', () => resolve(true)))
  return told
}

it('a share of the new conversations follows another version, until it is everybody’s or nobody’s', async () => {
  const params = await made()
  const early = await ask(flows.publish, { params, body: { share: 5 } })
  expect([early.status, early.body.details]).toEqual([400, { share: expect.stringContaining('Ainda não há') }])
  expect((await ask(flows.publish, { params })).body).toEqual({ version: 1 })
  await ask(flows.import, { params, body: asking('Versão dois', 'oi loja') })
  expect((await ask(flows.publish, { params, body: { share: 100 } })).status).toBe(400)
  expect((await ask(flows.publish, { params, body: { share: 50 } })).body).toEqual({ version: 2 })
  expect((await ask(flows.get, { params })).body).toMatchObject({ version: 1, trial: { version: 2, share: 50 } })
  const shares = async () => {
    const { versions } = (await ask(flows.versions, { params })).body
    return versions.map((one: Json) => [one['version'], one['isPublished'], one['share']])
  }
  expect(await shares()).toEqual([
    [2, false, 50],
    [1, true, 50],
  ])

  const connectionId = await m().connection(tenantId, { type: 'test', chat_flow_id: params.id })
  let phone = 5511930000000
  const begun = async (count: number) => {
    const from = Array.from({ length: count }, () => String(++phone))
    await receive(
      product().platform,
      { tenantId, connectionId },
      from.map((one) => textEvent({ from: one, body: 'oi' })),
    )
    await ingestIdle(product().platform)
    const sessions = await product().platform.db.read(tenantId, (db) =>
      db
        .selectFrom('flow_sessions as s')
        .innerJoin('tickets as t', (join) =>
          join.onRef('t.id', '=', 's.ticket_id').onRef('t.tenant_id', '=', 's.tenant_id'),
        )
        .select('s.version')
        .where('t.conversation_key', 'in', from)
        .execute(),
    )
    return Map.groupBy(sessions, ({ version }) => version)
  }
  const mixed = await begun(30)
  const [one = [], two = []] = [mixed.get(1), mixed.get(2)]
  expect(one.length + two.length).toBe(30)
  // Random: fewer than four of one kind in 30 conversations practically never occur.
  expect(Math.min(one.length, two.length)).toBeGreaterThan(3)

  expect((await ask(flows.endTrial, { params })).body).toEqual({ version: 1 })
  expect([...(await begun(5)).keys()]).toEqual([1])
  for (const op of [flows.promote, flows.endTrial])
    expect((await ask(op, { params })).body.error).toBe('ERR_NO_FLOW_TRIAL')

  expect((await ask(flows.publish, { params, body: { share: 99 } })).body).toEqual({ version: 3 })
  expect((await ask(flows.promote, { params })).body).toEqual({ version: 3 })
  expect((await ask(flows.get, { params })).body).toMatchObject({ version: 3, trial: null })
  expect([...(await begun(5)).keys()]).toEqual([3])
  expect((await shares())[0]).toEqual([3, true, 100])
  // Publishing for all conversations ends the trial.
  await ask(flows.publish, { params, body: { share: 5 } })
  await ask(flows.restore, { params: { ...params, version: 1 } })
  expect((await ask(flows.get, { params })).body).toMatchObject({ version: 5, trial: null })
  expect((await ask(flows.publish, { params, body: { share: 5 } }, caio)).status).toBe(403)
  expect((await ask(flows.promote, { params }, stranger)).status).toBe(404)
})

it('a conversation that a person hands over may follow the version on trial as well', async () => {
  const params = await made()
  await ask(flows.publish, { params })
  await ask(flows.import, { params, body: asking('Versão dois') })
  await ask(flows.publish, { params, body: { share: 99 } })
  const connection_id = await m().connection(tenantId, { type: 'test' })
  const ticketIds = [1, 2, 3].map(() => m().ticket(tenantId, { connection_id, channel: 'test', status: 'pending' }))
  for (const id of await Promise.all(ticketIds)) {
    const handed = await ask(ticketCommands.toChatFlow, { params: { id }, body: { chatFlowId: params.id } })
    expect(handed.status).toBe(200)
  }
  const sessions = await product().platform.db.read(tenantId, (db) =>
    db.selectFrom('flow_sessions').select('version').where('chat_flow_id', '=', params.id).execute(),
  )
  // Random: three conversations of one percent in a row practically never occur.
  expect([sessions.length, sessions.some(({ version }) => version === 2)]).toEqual([3, true])
})

it('the word that begins a flow is the published version’s, while another is on trial', async () => {
  const params = await made('Um')
  await ask(flows.publish, { params })
  await ask(flows.import, { params, body: asking('Dois', 'menu da loja') })
  await ask(flows.publish, { params, body: { share: 50 } })
  const keywordOf = async () =>
    (
      await product().platform.db.read(tenantId, (db) =>
        db.selectFrom('chat_flows').select('keyword').where('id', '=', params.id).executeTakeFirstOrThrow(),
      )
    ).keyword
  expect(await keywordOf()).toBe('')
  await ask(flows.promote, { params })
  expect(await keywordOf()).toBe('menu da loja')
})

it('a version is read as it was published, without what is secret in it', async () => {
  const params = await made()
  const calling = asking('Olá') as { nodeList: { interactions?: Json[] }[] }
  calling.nodeList[1]!.interactions!.push({
    ...{ id: 'w', type: 'WebhookField' },
    data: { webhook: 'https://loja.example/x?token=abcdef123456' },
  })
  await ask(flows.import, { params, body: calling })
  await ask(flows.publish, { params })
  await ask(flows.import, { params, body: asking('Outra') })
  const { body } = await ask(flows.version, { params: { ...params, version: 1 } })
  expect(JSON.stringify(body.flow)).toContain('https://loja.example/x?token=••••3456')
  expect(JSON.stringify(body)).not.toContain('abcdef')
  expect((await ask(flows.version, { params: { ...params, version: 9 } })).body.error).toBe('ERR_NO_FLOW_VERSION_FOUND')
  expect((await ask(flows.version, { params: { ...params, version: 1 } }, stranger)).status).toBe(404)
})

it('who has a flow open is known to those who edit flows, and to nobody else', async () => {
  const params = await made()
  const [sees, agent, foreign] = await Promise.all([bia, caio, stranger].map(listening))
  expect((await ask(flows.presence, { params, body: { state: 'viewing' } })).status).toBe(200)
  expect((await ask(flows.presence, { params, body: { state: 'left' } })).status).toBe(200)
  await until(() => sees!.length === 2)
  expect(sees).toEqual([
    { type: 'presence', payload: { chatFlowId: params.id, state: 'viewing', who: { id: ana.id, name: 'Ana' } } },
    { type: 'presence', payload: { chatFlowId: params.id, state: 'left', who: { id: ana.id, name: 'Ana' } } },
  ])
  expect([agent, foreign]).toEqual([[], []])
  const refused = [await ask(flows.presence, { params, body: { state: 'viewing' } }, caio)]
  refused.push(await ask(flows.presence, { params, body: { state: 'viewing' } }, stranger))
  expect(refused.map(({ status }) => status)).toEqual([403, 404])
})

it('what is published or restored is what was looked at, and whoever edits flows hears of each change', async () => {
  const params = await made()
  const { revision } = (await ask(flows.get, { params })).body
  await ask(flows.publish, { params, body: { revision } })
  const [sees, agent, foreign] = await Promise.all([bia, caio, stranger].map(listening))
  await ask(flows.import, { params, body: asking('De outra pessoa') })
  const stale = [
    await ask(flows.publish, { params, body: { revision } }),
    await ask(flows.publish, { params, body: { revision, share: 5 } }),
    await ask(flows.restore, { params: { ...params, version: 1 }, body: { revision } }),
  ]
  expect(stale.map(({ status, body }) => [status, body.error, body.details])).toEqual(
    stale.map(() => [409, 'ERR_FLOW_CHANGED', { revision: revision + 1 }]),
  )
  expect((await ask(flows.get, { params })).body).toMatchObject({ version: 1, trial: null, revision: revision + 1 })
  const seen = { revision: revision + 1 }
  expect((await ask(flows.publish, { params, body: { ...seen, share: 5 } })).body).toEqual({ version: 2 })
  expect((await ask(flows.promote, { params })).body).toEqual({ version: 2 })
  const back = { params: { ...params, version: 1 }, body: seen }
  expect((await ask(flows.restore, back)).body).toEqual({ version: 3 })
  await ask(flows.update, { params, body: { name: 'Balcão' } })
  const copy = (await ask(flows.duplicate, { body: params })).body
  await ask(flows.remove, { params })
  await until(() => sees!.length === 7)
  const told = (after: Json) => ({ type: 'changed', payload: { chatFlowId: params.id, who: { id: ana.id }, ...after } })
  expect(sees).toMatchObject([
    told({ revision: revision + 1, version: 1, trial: null }),
    told({ revision: revision + 1, version: 1, trial: 2 }),
    told({ revision: revision + 1, version: 2, trial: null }),
    told({ revision: revision + 2, version: 3, trial: null }),
    told({ revision: revision + 2, version: 3 }),
    told({ chatFlowId: copy.id, revision: 1, version: null }),
    told({ version: 3 }),
  ])
  expect([agent, foreign]).toEqual([[], []])
})

it('the list says where conversations come to each flow, to whoever may change flows', async () => {
  const used = await made()
  await ask(flows.import, { params: used, body: asking('Olá', 'promoção') })
  await ask(flows.publish, { params: used })
  const starter = (await ask(flows.create, { body: { name: 'Triagem' } })).body
  const interactions = [{ id: 'f', type: 'ChatFlowField', data: { chatFlow: used.id } }]
  const begins = {
    nodeList: [{ id: 'a', name: 'Início', type: 'node', interactions }],
    lineList: [{ from: 'start', to: 'a' }],
  }
  const rowOf = async (id: number, person = ana) =>
    (await ask(ticketCommands.chatFlows, {}, person)).body.chatFlow.find((one: Json) => one['id'] === id)
  await ask(flows.import, { params: starter, body: begins })
  // Start actions of an unpublished draft do not count.
  expect((await rowOf(used.id)).flows).toEqual([])
  const published = await ask(flows.publish, { params: starter })
  expect([published.status, published.body]).toEqual([200, { version: 1 }])
  const connectionId = await m().connection(tenantId, { type: 'test', name: 'Loja', chat_flow_id: used.id })
  const key = 'botTicketActive'
  await ask(settings.set, { params: { key }, body: { value: String(starter.id) } })
  expect(await rowOf(used.id)).toMatchObject({
    ...{ keyword: 'promoção', startsOn: null, isDefault: false },
    ...{ connections: [{ id: connectionId, name: 'Loja' }], flows: [{ id: starter.id, name: 'Triagem' }] },
  })
  expect(await rowOf(starter.id)).toMatchObject({ keyword: '', isDefault: true, connections: [], flows: [] })
  await ask(settings.set, { params: { key }, body: { value: '' } })
  expect(await rowOf(starter.id)).toMatchObject({ isDefault: false })
  expect(await rowOf(used.id, caio)).toEqual({ id: used.id, name: 'Loja', isActive: true })
  await ask(flows.update, { params: starter, body: { isActive: false } })
  expect((await rowOf(used.id)).flows).toEqual([])
  await ask(flows.update, { params: starter, body: { isActive: true } })
  expect((await rowOf(used.id)).flows).toHaveLength(1)
  await ask(flows.import, { params: starter, body: asking('Oi') })
  await ask(flows.publish, { params: starter })
  expect((await rowOf(used.id)).flows).toEqual([])
})
