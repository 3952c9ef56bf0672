import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contacts } from '#features/contacts/contract.ts'
import { opportunities } from '#features/funnel/contract.ts'
import { pipelines } from '#features/funnel/pipelines-contract.ts'
import { ingestIdle } from '#features/ledger/server/ingest/ingest.ts'
import { receive } from '#features/ledger/server/ingest/journal.ts'
import { settings } from '#features/settings/contract.ts'
import { tickets } from '#features/tickets/contract.ts'
import { make, type Person } from '#test/make.ts'
import { testChannel, textEvent } from '#test/peers/channel.ts'
import { eventsOf, type Received, startReceiver } from '#test/peers/receiver.ts'
import { call, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { webhookDeliveries, webhookEndpoints } from './contract.ts'
import { listDue } from './server/queries-deliveries.ts'
import { endpointRows } from './server/queries-endpoints.ts'
import { callEndpoint } from './server/send.ts'

let shiftMs = 0
const product = withProduct({ now: () => new Date(Date.now() + shiftMs) })
const m = () => make(product().platform)

let receiver: Awaited<ReturnType<typeof startReceiver>>
let tenantId: number
let connectionId: number
let admin: Person

beforeAll(async () => {
  testChannel(product().platform)
  receiver = await startReceiver()
  tenantId = await m().tenant()
  connectionId = await m().connection(tenantId, { type: 'test' })
  admin = await m().person(tenantId, { profile: 'admin' })
})
afterAll(() => receiver.close())

/** Advances the clock by `ms`; logged-in people stay logged in. */
async function move(ms: number): Promise<void> {
  shiftMs += ms
  admin.token = await m().token(admin)
}

// biome-ignore lint/suspicious/noExplicitAny: answers are judged by what they have.
async function ask(who: Person, op: any, input: object = {}): Promise<any> {
  return (await call(product(), op, who.token, input as never)).body
}
const create = async (path: string, more: object = {}, who = admin): Promise<{ id: number; secret: string }> =>
  ask(who, webhookEndpoints.create, { body: { url: receiver.origin + path, events: ['*'], ...more } })
const hear = async (body: string, from = '5511940000001', by = connectionId) => {
  await receive(product().platform, { tenantId, connectionId: by }, [textEvent({ from, body })])
  await ingestIdle(product().platform)
}
const deliveriesOf = async (id: number, query: object = {}) =>
  (await ask(admin, webhookDeliveries.list, { params: { id }, query })).deliveries
const messagesTo = (path: string) => eventsOf(receiver.to(path)).filter(({ type }) => type === 'message.created')
const remove = (id: number) => ask(admin, webhookEndpoints.remove, { params: { id } })

/** Package with which receivers verify: Standard Webhooks itself. */
const VERIFIER = 'standardwebhooks'
type Verifier = { Webhook: new (secret: string) => { verify(body: string, headers: Record<string, string>): unknown } }

async function verify(secret: string, { headers, body }: Received): Promise<unknown> {
  const { Webhook } = (await import(VERIFIER)) as Verifier
  return new Webhook(secret).verify(body, headers as Record<string, string>)
}

describe('an endpoint', () => {
  it('is told what a customer writes, signed so that its receiver can verify it', async () => {
    const { id, secret } = await create(new URL(receiver.at('/all')).pathname, { authorization: 'Bearer chave' })
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/=]{44}$/)
    await hear('Bom dia, tudo bem?', '5511940000011')
    await until(() => messagesTo('/all').length === 1)
    await until(async () => (await deliveriesOf(id)).every((one: { status: string }) => one.status === 'delivered'))
    const told = eventsOf(receiver.to('/all'))
    expect(told.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['contact.created', 'ticket.created', 'message.created']),
    )
    const [message] = messagesTo('/all')
    expect(message!.data).toMatchObject({ body: 'Bom dia, tudo bem?', fromMe: false, ticket: { status: 'pending' } })
    expect(message!.seq).toBeGreaterThan(0)
    for (const one of receiver.to('/all')) {
      expect(await verify(secret, one)).toMatchObject({ type: expect.any(String) })
      expect(one.headers['authorization']).toBe('Bearer chave')
    }
    await expect(verify(`whsec_${Buffer.alloc(32).toString('base64')}`, receiver.to('/all')[0]!)).rejects.toThrow()
    const listed = (await ask(admin, webhookEndpoints.list)).items
    expect(listed).toMatchObject([{ id, hasAuthorization: true, isActive: true, failingSince: null, waiting: 0 }])
    expect(JSON.stringify(listed)).not.toMatch(/whsec_|Bearer/)
    await remove(id)
  })

  it('is told of a ticket that ends and of contacts that change or go', async () => {
    const { id } = await create(new URL(receiver.at('/others')).pathname)
    const ticketId = await m().ticket(tenantId, { user_id: admin.id, connection_id: connectionId })
    await ask(admin, tickets.update, { params: { id: ticketId }, body: { status: 'closed' } })
    const body = { name: 'Carla Souza', number: '5511912345678' }
    const { id: contactId } = await ask(admin, contacts.create, { body })
    await ask(admin, contacts.update, { params: { id: contactId }, body: { name: 'Carla Prado' } })
    await ask(admin, contacts.remove, { params: { id: contactId } })
    const types = () => eventsOf(receiver.to('/others')).map(({ type }) => type)
    await until(() => types().includes('ticket.closed') && types().includes('contact.deleted'))
    await remove(id)
  })

  it('is told what becomes of opportunities, and not of their places within a stage', async () => {
    const { id } = await create(new URL(receiver.at('/cards')).pathname, { events: ['opportunity.*'] })
    const stages = [{ name: 'Nova' }, { name: 'Proposta' }]
    const pipeline = await ask(admin, pipelines.create, { body: { name: 'Vendas', stages } })
    const contactId = await m().contact(tenantId, { name: 'Carla' })
    const make = (name: string) =>
      ask(admin, opportunities.create, { body: { name, contactId, pipelineId: pipeline.id, value: '100.00' } })
    const [desk, chair] = [await make('Mesa'), await make('Cadeira')]
    const params = { id: desk.id }
    await ask(admin, opportunities.move, { params, body: { stageId: desk.stageId, beforeId: null } })
    const told = () => eventsOf(receiver.to('/cards')).map(({ type, data }) => `${type} ${(data as { id: number }).id}`)
    await ask(admin, opportunities.move, { params, body: { stageId: pipeline.stages[1].id } })
    await ask(admin, opportunities.update, { params, body: { status: 'win' } })
    await ask(admin, opportunities.update, { params: { id: chair.id }, body: { status: 'lose', reason: 'Preço' } })
    await until(() => told().length === 8)
    await ask(admin, opportunities.remove, { params: { id: chair.id } })
    await until(() => told().length === 9)
    const of = (card: number, types: string[]) => types.map((type) => `opportunity.${type} ${card}`)
    expect(told().toSorted()).toEqual(
      [
        ...of(desk.id, ['created', 'updated', 'stage', 'updated', 'won']),
        ...of(chair.id, ['created', 'updated', 'lost', 'deleted']),
      ].toSorted(),
    )
    const won = eventsOf(receiver.to('/cards')).find(({ type }) => type === 'opportunity.won')
    expect(won!.data).toMatchObject({ name: 'Mesa', status: 'win', value: '100.00', contact: { name: 'Carla' } })
    await remove(id)
  })

  it('is told only what it asks for, by the connections and in the queues that it names', async () => {
    const other = await m().connection(tenantId, { type: 'test' })
    const { id } = await create(new URL(receiver.at('/narrow')).pathname, {
      ...{ events: ['message.*'], connectionIds: [other] },
    })
    await hear('por aqui não', '5511940000021')
    await hear('por aqui sim', '5511940000022', other)
    await until(() => receiver.to('/narrow').length > 0)
    expect(eventsOf(receiver.to('/narrow')).map(({ type, data }) => [type, data.body])).toEqual([
      ['message.created', 'por aqui sim'],
    ])
    await remove(id)
  })

  it('is refused where nobody may be called, and hidden from who is not asked', async () => {
    const refused = [
      'http://10.0.0.1/x',
      'http://169.254.169.254/latest',
      'http://[::1]/',
      'ftp://a.dev',
      'http://a:b@c.dev/',
    ]
    for (const url of refused) {
      const reply = await call(product(), webhookEndpoints.create, admin.token, { body: { url, events: ['*'] } })
      expect([url, reply.status]).toEqual([url, 400])
    }
    const body = { url: receiver.at('/no'), events: ['*'] }
    const agent = await m().person(tenantId)
    expect((await call(product(), webhookEndpoints.create, agent.token, { body })).status).toBe(403)
    expect((await ask(admin, webhookEndpoints.create, { body: { ...body, events: ['nada.disso'] } })).error).toBe(
      'ERR_VALIDATION',
    )
    const { id } = await create('/no')
    const stranger = await m().person(await m().tenant(), { profile: 'admin' })
    for (const op of [webhookEndpoints.get, webhookEndpoints.rotate, webhookEndpoints.test, webhookDeliveries.list])
      expect((await call(product(), op, stranger.token, { params: { id } } as never)).status).toBe(404)
    await remove(id)
  })
})

it('a secret is rotated with both valid, and an endpoint is tried', async () => {
  const { id, secret } = await create(new URL(receiver.at('/rotated')).pathname)
  const { secret: next } = await ask(admin, webhookEndpoints.rotate, { params: { id } })
  expect(next).not.toBe(secret)
  expect(await ask(admin, webhookEndpoints.test, { params: { id } })).toMatchObject({ isTaken: true, httpStatus: 200 })
  const [one] = receiver.to('/rotated')
  for (const valid of [secret, next]) expect(await verify(valid, one!)).toMatchObject({ type: 'endpoint.test' })
  await move(25 * 3_600_000)
  await ask(admin, webhookEndpoints.test, { params: { id } })
  expect(String(receiver.to('/rotated')[1]!.headers['webhook-signature']).split(' ')).toHaveLength(1)
  await remove(id)
})

describe('a receiver that', () => {
  const settled = (path: string, count: number) => until(() => receiver.to(path).length >= count)

  it('fails is asked again with the same identifier, at its times, until it takes it', async () => {
    const { id } = await create(new URL(receiver.at('/fails', 500)).pathname, { events: ['message.created'] })
    await hear('Não se perde', '5511940000031')
    await until(async () => (await deliveriesOf(id))[0]?.tries === 1)
    const [first] = await deliveriesOf(id)
    expect(first).toMatchObject({ status: 'pending', httpStatus: 500, problem: 'Respondeu 500.' })
    const wait = Date.parse(first.dueAt) - Date.parse(first.createdAt)
    expect(wait).toBeGreaterThanOrEqual(5000)
    expect(wait).toBeLessThan(60_000)
    expect(await ask(admin, webhookEndpoints.get, { params: { id } })).toMatchObject({
      failingSince: expect.any(String),
      waiting: 1,
    })
    await move(10_000)
    // Its next time is set when the answer is recorded, by the clock of then.
    await until(async () => (await deliveriesOf(id))[0]?.tries === 2)
    receiver.at('/fails', 200)
    await move(7 * 60_000)
    await until(async () => (await deliveriesOf(id))[0].status === 'delivered')
    const ids = receiver.to('/fails').map(({ headers, body }) => [headers['webhook-id'], body])
    expect(new Set(ids.map(String)).size).toBe(1)
    const { attempts } = await ask(admin, webhookDeliveries.get, { params: { deliveryId: first.id } })
    expect(attempts.map((one: { httpStatus: number; answer: string }) => [one.httpStatus, one.answer])).toEqual([
      [500, 'answered 500'],
      [500, 'answered 500'],
      [200, 'answered 200'],
    ])
    expect(await ask(admin, webhookEndpoints.get, { params: { id } })).toMatchObject({ failingSince: null })
    await remove(id)
  })

  it('fails eight times gets it again by hand, with what else failed in that time', async () => {
    const { id } = await create(new URL(receiver.at('/never', 503)).pathname, { events: ['message.created'] })
    const from = product().platform.now().getTime()
    await hear('Oito vezes', '5511940000041')
    for (let tries = 1; tries <= 8; tries++) {
      await until(async () => (await deliveriesOf(id))[0]?.tries === tries)
      await move(13 * 3_600_000)
    }
    expect(await deliveriesOf(id)).toMatchObject([{ status: 'failed', tries: 8, dueAt: null }])
    receiver.at('/never', 200)
    const to = product().platform.now().getTime() + 1
    expect(await ask(admin, webhookEndpoints.resend, { params: { id }, body: { from, to } })).toEqual({ count: 1 })
    await until(async () => (await deliveriesOf(id))[0].status === 'delivered')
    expect(new Set(receiver.to('/never').map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    const [{ id: deliveryId }] = await deliveriesOf(id)
    await ask(admin, webhookDeliveries.resend, { params: { deliveryId } })
    await settled('/never', 10)
    await remove(id)
  })

  it('says when to come again is believed; one that redirects is not followed; of a long answer 4 kB are kept', async () => {
    const later = await create(
      new URL(receiver.at('/later', (_, response) => response.writeHead(429, { 'retry-after': '3600' }).end()))
        .pathname,
      { events: ['message.created'] },
    )
    receiver.at('/moved', (_, response) => response.writeHead(302, { location: receiver.at('/elsewhere') }).end())
    const moved = await create('/moved', { events: ['message.created'] })
    receiver.at('/large', (_, response) => response.writeHead(200).end(Buffer.alloc(10 * 1024 * 1024, 'a')))
    const large = await create('/large', { events: ['message.created'] })
    await hear('Três jeitos', '5511940000051')
    for (const { id } of [later, moved, large]) await until(async () => (await deliveriesOf(id))[0]?.tries === 1)
    const [told] = await deliveriesOf(later.id)
    expect(Date.parse(told.dueAt) - Date.parse(told.createdAt)).toBeGreaterThanOrEqual(3_600_000)
    const [lost] = await deliveriesOf(moved.id)
    expect(lost).toMatchObject({ status: 'pending', problem: 'Respondeu 302: redirecionamentos não são seguidos.' })
    expect(receiver.to('/elsewhere')).toEqual([])
    const [taken] = await deliveriesOf(large.id)
    const { attempts } = await ask(admin, webhookDeliveries.get, { params: { deliveryId: taken.id } })
    expect([taken.status, attempts[0].answer.length]).toEqual(['delivered', 4096])
    for (const { id } of [later, moved, large]) await remove(id)
  })

  it('hangs is left in time, and delays no other', async () => {
    const waiting: { end(): void }[] = []
    receiver.at('/hangs', (_, response) => void waiting.push(response))
    const hanging = await create('/hangs', { events: ['message.created'] })
    const quick = await create(new URL(receiver.at('/quick')).pathname, { events: ['message.created'] })
    for (let n = 0; n < 12; n++) await hear(`Mensagem ${n}`, `55119400001${String(n).padStart(2, '0')}`)
    await until(() => messagesTo('/quick').length === 12)
    expect(receiver.to('/hangs').length).toBeLessThanOrEqual(2)
    const endpoint = await product().platform.db.read(tenantId, (db) => endpointRows.find(db, hanging.id))
    const tried = await callEndpoint(product().platform, tenantId, { id: 'msg', body: '{}' }, endpoint!, 50)
    expect(tried).toMatchObject({ httpStatus: null, problem: 'timeout' })
    receiver.at('/hangs', 200)
    for (const one of waiting) one.end()
    await until(async () =>
      (await deliveriesOf(hanging.id)).every((one: { status: string }) => one.status === 'delivered'),
    )
    for (const { id } of [hanging, quick]) await remove(id)
  })

  it('fails hides no other one, however much of it is due', async () => {
    const [failing, sound] = [await create('/none', { isActive: true }), await create('/none', { isActive: true })]
    const takenBack = new Error('taken back')
    const asked = product().platform.db.asPlatform(async (db) => {
      const due = async (endpoint_id: number, day: number) => {
        const at = new Date(Date.UTC(2000, 0, day))
        const values = {
          tenant_id: tenantId,
          id: crypto.randomUUID(),
          seq: day,
          type: 'x',
          body: '{}',
          status: 'pending',
        }
        await db
          .insertInto('webhook_deliveries')
          .values({ ...values, endpoint_id, due_at: at, created_at: at })
          .execute()
      }
      const failing_since = new Date(Date.UTC(2000, 0, 1))
      await db.updateTable('webhook_endpoints').set({ failing_since }).where('id', '=', failing.id).execute()
      await due(failing.id, 1)
      await due(failing.id, 2)
      await due(sound.id, 3)
      const found = await listDue(db, new Date(Date.UTC(2000, 0, 4)), 2, 1)
      expect(found.map(({ endpointId }) => endpointId)).toEqual([failing.id, sound.id])
      throw takenBack
    })
    await expect(asked).rejects.toBe(takenBack)
    for (const { id } of [failing, sound]) await remove(id)
  })

  it('is gone (410) is switched off, and so is one that has failed for five days', async () => {
    const gone = await create(new URL(receiver.at('/gone', 410)).pathname, { events: ['message.created'] })
    await hear('Alguém aí?', '5511940000061')
    const of = (id: number) => ask(admin, webhookEndpoints.get, { params: { id } })
    await until(async () => !(await of(gone.id)).isActive)
    expect(await of(gone.id)).toMatchObject({ offReason: 'gone', waiting: 0 })
    const dead = await create(new URL(receiver.at('/dead', 500)).pathname, { events: ['message.created'] })
    for (let days = 0; days < 12 && (await of(dead.id)).isActive; days++) {
      await hear(`Dia ${days}`, '5511940000062')
      await until(async () => (await deliveriesOf(dead.id))[0]?.tries > 0 || !(await of(dead.id)).isActive)
      await move(13 * 3_600_000)
    }
    await until(async () => !(await of(dead.id)).isActive)
    expect(await of(dead.id)).toMatchObject({ offReason: 'failing' })
    const refused = await call(product(), webhookEndpoints.resend, admin.token, {
      params: { id: dead.id },
      body: { from: 0, to: 1 },
    })
    expect(refused.status).toBe(409)
    receiver.at('/dead', 200)
    await ask(admin, webhookEndpoints.update, { params: { id: dead.id }, body: { isActive: true } })
    expect(await of(dead.id)).toMatchObject({ isActive: true, offReason: null, failingSince: null })
    for (const { id } of [gone, dead]) await remove(id)
  })
})

it('the keys of old work as one endpoint', async () => {
  const set = (key: string, value: string) => ask(admin, settings.set, { params: { key }, body: { value } })
  await set('webhookUrl', receiver.at('/old'))
  await set('webhookMessage', 'enabled')
  await set('webhook', 'enabled')
  product().platform.bus.stale(`webhooks ${tenantId}`)
  const ofSettings = async () =>
    (await ask(admin, webhookEndpoints.list)).items.find((one: { ofSettings: boolean }) => one.ofSettings)
  await until(async () => (await ofSettings())?.isActive === true)
  await hear('Pelas chaves antigas', '5511940000071')
  await until(() => messagesTo('/old').length === 1)
  await set('webhook', 'disabled')
  product().platform.bus.stale(`webhooks ${tenantId}`)
  await until(async () => (await ofSettings()).isActive === false)
})

it('nothing stays of somebody who is forgotten', async () => {
  const { id } = await create(new URL(receiver.at('/forgets', 500)).pathname, { events: ['*'] })
  await hear('Meu segredo', '5511940000081')
  await until(async () => (await deliveriesOf(id)).length > 1)
  const found = await product().platform.db.read(tenantId, (db) =>
    db.selectFrom('tickets').select(['id', 'contact_id']).where('conversation_key', '=', '5511940000081').execute(),
  )
  const [ticket] = found
  await ask(admin, tickets.update, { params: { id: ticket!.id }, body: { status: 'open', userId: admin.id } })
  await ask(admin, tickets.update, { params: { id: ticket!.id }, body: { status: 'closed' } })
  const forgotten = await call(product(), contacts.forget, admin.token, {
    params: { id: ticket!.contact_id },
    body: {},
  } as never)
  expect(forgotten.body).toMatchObject({ isGenuine: true })
  const left = await product().platform.db.read(tenantId, (db) =>
    db.selectFrom('webhook_deliveries').select('body').where('body', 'like', '%5511940000081%').execute(),
  )
  expect(left).toEqual([])
  await remove(id)
})

it('what is due is found per endpoint', async () => {
  const due = await product().platform.db.askAsPlatform((db) => listDue(db, new Date(0), 2, 10))
  expect(due).toEqual([])
})
