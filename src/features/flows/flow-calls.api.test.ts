import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { unit } from '#server/context.ts'
import { any, does, flowOf, goTo, type Json, node, sends, toQueue } from '#test/flow-steps.ts'
import { flowCompany, flowTalk } from '#test/flow-talk.ts'
import { make } from '#test/make.ts'
import { withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { happen } from './server/live.ts'

const product = withProduct({ env: { OUTBOUND_ALLOW: ['127.0.0.1'] } })
const _m = () => make(product().platform)

let tenantId: number
let queueId: number
let connectionId: number
let admin: string
let server: ReturnType<typeof createServer>
let called: { key: string | undefined; type: string | undefined; body: string; at: number }[] = []
type Respond = (request: IncomingMessage, response: ServerResponse) => void
let respond: Respond = (_, response) => response.end('{}')

beforeAll(async () => {
  ;({ tenantId, connectionId, queueId, admin } = await flowCompany(product()))
  server = createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += part
    const { 'idempotency-key': key, 'content-type': type } = request.headers
    called.push({ key: key as string | undefined, type, body, at: performance.now() })
    respond(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(resolve))
})
beforeEach(() => {
  called = []
})

const { write, ticketOf, saidTo, nextPhone, attending } = flowTalk(product, () => ({ tenantId, connectionId, admin }))

const portOf = (of: typeof server): number => (of.address() as AddressInfo).port

/** Runs a flow with a call and returns the flow's message about the response. */
async function toldOf(rest: Json, behaviour: Respond): Promise<{ from: string; told: string | undefined }> {
  respond = behaviour
  const asking = does('WebhookAllField', {
    webhookUrl: `http://127.0.0.1:${portOf(server)}/x`,
    ...{ httpMethod: 'POST', bodyType: 'json', bodyContent: '{"n":"{{n}}"}', saveAs: 'loja' },
    ...{ timeout: 1000, retryDelay: 1000, ...rest },
  })
  const flow = flowOf([
    node('a', [sends('Número?')], [any(goTo('b'))], { variableKey: 'n' }),
    node('b', [asking, sends('Total {{loja.total|nenhum}} {{loja.status}}')], [any(toQueue(queueId))]),
  ])
  await attending(flow)
  const from = nextPhone()
  await write(from, 'oi', '12')
  await until(async () => (await saidTo(from)).length === 2)
  return { from, told: (await saidTo(from)).at(-1) }
}

it('is made once for each answer, and its answer enters once', async () => {
  const { from, told } = await toldOf({}, (_, response) => response.end('{"total":"9,90"}'))
  expect(told).toBe('Total 9,90 200')
  expect(called).toMatchObject([{ body: '{"n":"12"}' }])
  const { id: ticketId } = await ticketOf(from)
  const { id } = await product().platform.db.read(tenantId, (db) =>
    db.selectFrom('flow_sessions').select('id').where('ticket_id', '=', ticketId).executeTakeFirstOrThrow(),
  )
  expect(called[0]!.key).toMatch(new RegExp(`^${id}:\\d+$`))
  await unit(product().platform, { tenantId, user: null }, (ctx) =>
    happen(ctx, id, { type: 'called', at: Date.now(), id: called[0]!.key!, status: 200, body: '{"total":"0"}' }),
  )
  expect(await saidTo(from)).toHaveLength(2)
})

it('has a body as the flow says, and none where it only asks', async () => {
  const answered: Respond = (_, response) => response.end('{"total":"1"}')
  const form = { httpMethod: 'PUT', bodyType: 'form', bodyContent: 'n={{n}}&total=1' }
  expect((await toldOf(form, answered)).told).toBe('Total 1 200')
  expect((await toldOf({ httpMethod: 'GET' }, answered)).told).toBe('Total 1 200')
  expect(called.map(({ type, body }) => [type, body])).toEqual([
    ['application/x-www-form-urlencoded', 'n=12&total=1'],
    [undefined, ''],
  ])
})

it('an answer with what no database keeps is heard as well', async () => {
  const { from, told } = await toldOf({}, (_, response) => response.end(String.raw`{"total":"a\u0000b\ud83d"}`))
  expect(told).toBe('Total ab\ufffd 200')
  await write(from, 'ok')
  expect(await ticketOf(from)).toMatchObject({ queue_id: queueId, chat_flow_id: null })
})

it('is repeated as the flow says where nobody answered or asked for patience, with the same key', async () => {
  const { told } = await toldOf({ retryAttempts: 3 }, (request, response) => {
    const status = [null, 429, 500, 200][called.length - 1]
    if (!status) return void request.socket.destroy()
    response.statusCode = status
    response.end('{"total":"1"}')
  })
  expect(told).toBe('Total 1 200')
  expect(new Set(called.map(({ key }) => key)).size).toBe(1)
  const waits = called.slice(1).map(({ at }, index) => at - called[index]!.at)
  expect([waits.length, waits.every((ms) => ms > 900)]).toEqual([3, true])
})

it('is not repeated where somebody refused it, and no more often than the flow says', async () => {
  const refused: Respond = (_, response) => response.writeHead(404).end('{"total":"x"}')
  expect([(await toldOf({ retryAttempts: 5 }, refused)).told, called.length]).toEqual(['Total x 404', 1])
  called = []
  const failing: Respond = (_, response) => response.writeHead(503).end()
  expect([(await toldOf({ retryAttempts: 1 }, failing)).told, called.length]).toEqual(['Total nenhum 503', 2])
})

const padded = (size: number): Respond => {
  const rest = '{"total":"7","x":""}'
  return (_, response) => response.end(`{"total":"7","x":"${'x'.repeat(size - rest.length)}"}`)
}

it.each<[string, Respond]>([
  ['is silent', () => {}],
  ['answers 10 MB', padded(10_000_000)],
  ['answers a byte more than 64 kB', padded(64 * 1024 + 1)],
  ['leads inwards', (_, response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end()],
])('one that %s has no answer, and the flow goes on', async (_, behaviour) => {
  expect((await toldOf({}, behaviour)).told).toBe('Total nenhum 0')
})

it('goes to nobody within the installation’s own network, and the flow goes on', async () => {
  let visits = 0
  const inside = createServer((_, response) => {
    visits++
    response.end('{"total":"7"}')
  })
  await new Promise<void>((resolve) => inside.listen(0, '127.0.0.2', resolve))
  try {
    const { told } = await toldOf({ webhookUrl: `http://127.0.0.2:${portOf(inside)}/` }, () => {})
    expect([told, visits]).toEqual(['Total nenhum 0', 0])
  } finally {
    await new Promise((resolve) => inside.close(resolve))
  }
})

it('an answer of 64 kB is read whole', async () => {
  expect((await toldOf({}, padded(64 * 1024))).told).toBe('Total 7 200')
})
