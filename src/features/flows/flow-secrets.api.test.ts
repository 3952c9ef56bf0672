import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { ingestIdle } from '#features/ledger/server/ingest/ingest.ts'
import { receive } from '#features/ledger/server/ingest/journal.ts'
import { flowCompany, flowTalk } from '#test/flow-talk.ts'
import { make } from '#test/make.ts'
import { textEvent } from '#test/peers/channel.ts'
import { withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { flows } from './contract.ts'
import { separateSecrets } from './server/secrets.ts'

const product = withProduct({ env: { OUTBOUND_ALLOW: ['127.0.0.1'] } })
const m = () => make(product().platform)

const HEADER = 'Bearer sk-live-cabecalho-4711'
const PARAMETER = 'parametro-muito-secreto-4712'
const IN_BODY = 'corpo-muito-secreto-4713'
const FIELD = 'sk-openai-muito-secreta-4714'
const ALL = ['cabecalho-4711', PARAMETER, IN_BODY, FIELD]

type Json = Record<string, unknown>
type Called = { url: string; headers: IncomingHttpHeaders; body: string }
let tenantId: number
let connectionId: number
let admin: string
let owner: pg.Client
let server: ReturnType<typeof createServer>
let called: Called[] = []
let status = 200

beforeAll(async () => {
  ;({ tenantId, connectionId, admin } = await flowCompany(product()))
  owner = new pg.Client({ connectionString: product().ownerUrl })
  await owner.connect()
  server = createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += part
    called.push({ url: request.url!, headers: request.headers, body })
    response.statusCode = status
    response.end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  await owner.end()
  await new Promise((resolve) => server.close(resolve))
})
beforeEach(() => {
  called = []
  status = 200
})

const { ask } = flowTalk(product, () => ({ tenantId, connectionId, admin }))
const host = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

const flowOf = (webhook: Json = {}, rest: Json[] = []): Json => ({
  nodeList: [
    { id: 'start', type: 'start' },
    {
      id: 'a',
      name: 'Pedido',
      type: 'node',
      interactions: [
        {
          id: 'w',
          type: 'WebhookAllField',
          data: {
            webhookUrl: `${host()}/pedido?token=${PARAMETER}&n={{name}}`,
            httpMethod: 'POST',
            headers: [
              { key: 'Authorization', value: HEADER },
              { key: 'Content-Type', value: 'application/json' },
              { key: 'X-Nome', value: '{{name}}' },
            ],
            bodyType: 'json',
            bodyContent: `{"api_key": "${IN_BODY}", "nome": "{{name}}"}`,
            saveAs: 'loja',
            ...webhook,
          },
        },
        { id: 'm', type: 'MessageField', data: { message: 'Resposta {{loja.status}}' } },
        ...rest,
      ],
      conditions: [],
    },
  ],
  lineList: [{ from: 'start', to: 'a' }],
})
const GPT = { id: 'g', type: 'ChatGPTField', data: { chatgptApiKey: FIELD, chatgptPrompt: 'Oi' } }

async function made(flow: Json): Promise<number> {
  const { body } = await ask(flows.create, { body: { name: 'Com segredos' } })
  await ask(flows.import, { params: { id: body.id }, body: flow })
  return body.id
}
const drafted = async (id: number) => (await ask(flows.get, { params: { id } })).body
async function publish(id: number) {
  const { status, body } = await ask(flows.publish, { params: { id } })
  await owner.query('update connections set chat_flow_id = $1 where id = $2', [id, connectionId])
  return status === 200 ? 'published' : body.details.problems.map((one: Json) => one['code'])
}
let phone = 5_511_910_000_000
async function write(): Promise<string> {
  const from = String(++phone)
  await receive(product().platform, { tenantId, connectionId }, [textEvent({ from, body: 'oi' })])
  await ingestIdle(product().platform)
  return from
}

/** Searches the whole database for texts; returns table and text. */
async function found(...texts: string[]): Promise<string[]> {
  const { rows: tables } = await owner.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'`,
  )
  const within = tables.map(
    ({ name }) =>
      `select '${name} ' || x as hit from unnest($1::text[]) x where exists (select from ${name} t where position(x in t::text) > 0)`,
  )
  const { rows } = await owner.query<{ hit: string }>(within.join(' union all '), [texts])
  return rows.map(({ hit }) => hit).sort()
}

it('secrets of flows are called with, shown by their ends, and stand nowhere in the database', async () => {
  const id = await made(flowOf({ retryAttempts: 5, retryDelay: 30_000 }, [GPT]))
  const { flow } = await drafted(id)
  const [webhook, , gpt] = flow.nodeList[1].interactions
  expect(webhook.data).toMatchObject({
    webhookUrl: `${host()}/pedido?token=••••4712&n={{name}}`,
    headers: [
      { key: 'Authorization', value: '••••4711' },
      { key: 'Content-Type', value: 'application/json' },
      { key: 'X-Nome', value: '{{name}}' },
    ],
    bodyContent: '{"api_key": "••••4713", "nome": "{{name}}"}',
  })
  expect(gpt.data).toEqual({ chatgptApiKey: '••••4714', chatgptPrompt: 'Oi' })
  expect(await publish(id)).toBe('published')
  // The call fails and waits for its retry.
  status = 500
  await write()
  await until(
    async () => (await owner.query("select from graphile_worker.jobs where key like 'flow:%:1'")).rowCount === 1,
  )
  const [first] = called
  expect(first!.headers).toMatchObject({ authorization: HEADER, 'content-type': 'application/json' })
  expect(first!.url).toContain(`token=${PARAMETER}`)
  expect(JSON.parse(first!.body)).toMatchObject({ api_key: IN_BODY, nome: expect.stringContaining('Cliente') })
  await ask(flows.duplicate, { body: { id } })
  expect(await found(...ALL)).toEqual([])
  // Verifies that the search itself works.
  expect(await found('Com segredos (cópia)')).toEqual(['public.chat_flows Com segredos (cópia)'])
})

it('a mask that comes back is the secret that it shows, where it stands and where it is moved to', async () => {
  const id = await made(flowOf({}, [GPT]))
  const stored = async () => (await owner.query('select definition from chat_flows where id = $1', [id])).rows[0]
  const before = await stored()
  const { flow, revision } = await drafted(id)
  await ask(flows.update, { params: { id }, body: { flow, revision } })
  expect(await stored()).toEqual(before)
  // A re-imported secret is recognised as the stored one.
  await ask(flows.import, { params: { id }, body: flowOf({}, [GPT]) })
  expect(await stored()).toEqual(before)
  const [start, node] = flow.nodeList
  const moved = {
    ...flow,
    nodeList: [start, { ...node, interactions: node.interactions.slice(1) }, { ...node, id: 'b', name: 'Outra' }],
    lineList: [{ from: 'start', to: 'b' }],
  }
  await ask(flows.update, { params: { id }, body: { flow: moved } })
  expect(await publish(id)).toBe('published')
  await write()
  await until(() => called.length === 1)
  expect(called[0]!.headers.authorization).toBe(HEADER)
  const copy = await ask(flows.duplicate, { body: { id } })
  expect((await drafted(copy.body.id)).problems.filter((one: Json) => one['level'] === 'error')).toEqual([])
})

it('a secret goes only where it was meant to go; elsewhere it has to be written again', async () => {
  const id = await made(flowOf())
  const { flow } = await drafted(id)
  const to = (webhookUrl: string) => {
    const changed = structuredClone(flow)
    changed.nodeList[1].interactions[0].data.webhookUrl = webhookUrl
    return changed
  }
  for (const url of ['https://fora.example/', 'https:fora.example', `${host()}@fora.example/`, '{{name}}']) {
    await ask(flows.update, { params: { id }, body: { flow: to(url) } })
    expect([url, await publish(id)]).toEqual([url, ['missingSecret']])
  }
  await ask(flows.update, { params: { id }, body: { flow: to(`${host()}/outro`) } })
  expect(await publish(id)).toBe('published')
  // An export contains no secrets.
  const other = await made((await drafted(id)).flow)
  expect(await publish(other)).toEqual(['missingSecret'])
})

it('what flows had before is kept apart when a process starts, also in versions, and called with as ever', async () => {
  const definition = JSON.stringify(flowOf({ webhookUrl: `${host()}/antigo?token=antigo-muito-secreto-4715` }, [GPT]))
  const id = await m().insert('chat_flows', tenantId, { name: 'De antes', definition, is_deleted: true })
  await owner.query(
    'insert into chat_flow_versions (tenant_id, chat_flow_id, version, definition) values ($1, $2, 1, $3)',
    [tenantId, id, definition],
  )
  expect(await found('secreto-4715')).toHaveLength(2)
  await separateSecrets(product().platform)
  await separateSecrets(product().platform)
  expect(await found(...ALL, 'secreto-4715')).toEqual([])
  await owner.query('update chat_flows set is_deleted = false where id = $1', [id])
  expect((await drafted(id)).flow.nodeList[1].interactions[0].data.headers[0].value).toBe('••••4711')
  expect(await publish(id)).toBe('published')
  await write()
  await until(() => called.length === 1)
  expect([called[0]!.url, called[0]!.headers.authorization]).toEqual([
    '/antigo?token=antigo-muito-secreto-4715',
    HEADER,
  ])
})
