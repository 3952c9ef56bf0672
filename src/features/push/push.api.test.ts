import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { devices } from '#features/devices/contract.ts'
import { ingestIdle } from '#features/ledger/server/ingest/ingest.ts'
import { receive } from '#features/ledger/server/ingest/journal.ts'
import { messages } from '#features/messages/contract.ts'
import { remindAll } from '#features/tasks/server/remind.ts'
import { tasks } from '#features/tasks/tasks.ts'
import { tickets } from '#features/tickets/contract.ts'
import { users } from '#features/users/contract.ts'
import { make } from '#test/make.ts'
import { testChannel, textEvent } from '#test/peers/channel.ts'
import { type PushDevice, startPushService } from '#test/peers/push-service.ts'
import { call, ownProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { push } from './contract.ts'
import { noticeJob } from './server/notice.ts'
import { noteViewing } from './server/viewing.ts'

// Behind the queue's clock, so that the test does not wait for jobs due in two seconds.
const ahead = -10_000
const HOUR = 3_600_000
const product = ownProduct('may call other hosts of this machine', {
  env: { OUTBOUND_ALLOW: ['127.0.0.0/8', '::1/128'] },
  now: () => new Date(Date.now() + ahead),
})
const m = () => make(product().platform)

type Person = { id: number; tenantId: number; token: string; name: string }

let service: Awaited<ReturnType<typeof startPushService>>
let tenantId: number
let queueId: number
let connectionId: number
let ana: Person
let bia: Person

const enter = async (input: Parameters<ReturnType<typeof make>['user']>[1]): Promise<Person> => {
  const user = await m().user(tenantId, input)
  return { ...user, token: await m().token(user) }
}
const subscribe = (token: string, subscription: object, deviceInfo: object = { timeZone: 'America/Sao_Paulo' }) =>
  call(product(), push.subscribe, token, { body: { subscription, deviceInfo } as never })
const deviceOf = async (who: Person, token = who.token): Promise<PushDevice> => {
  const device = service.device()
  expect((await subscribe(token, device.subscription)).status).toBe(200)
  return device
}
const from = new Map<string, string>()
async function hear(name: string, body: string, agoMs = 0): Promise<number> {
  const number = from.get(name) ?? `5511977${String(from.size).padStart(6, '0')}`
  from.set(name, number)
  await receive(product().platform, { tenantId, connectionId }, [
    textEvent({ from: number, name, body, at: Date.now() + ahead - agoMs, id: randomUUID() }),
  ])
  await ingestIdle(product().platform)
  const row = await product().platform.db.read(tenantId, (db) =>
    db
      .selectFrom('tickets')
      .select('id')
      .where('conversation_key', '=', number)
      .orderBy('id', 'desc')
      .executeTakeFirst(),
  )
  return row!.id
}
const give = async (id: number, who: Person) =>
  product().platform.db.write(tenantId, (db) =>
    db.updateTable('tickets').set({ user_id: who.id, status: 'open' }).where('id', '=', id).execute(),
  )
/** Creates a customer whose ticket a person attends; returns the ticket's id. */
async function talking(name: string, who: Person): Promise<number> {
  const id = await hear(name, 'Oi')
  await give(id, who)
  return id
}
const lastMessage = (ticketId: number) =>
  product().platform.db.read(tenantId, (db) =>
    db
      .selectFrom('messages')
      .selectAll()
      .where('ticket_id', '=', ticketId)
      .orderBy('seq', 'desc')
      .executeTakeFirstOrThrow(),
  )
const read = async (who: Person, ticketId: number) => {
  const { id } = await lastMessage(ticketId)
  const reply = await call(product(), tickets.read, who.token, { params: { id: ticketId }, body: { messageId: id } })
  expect(reply.status).toBe(200)
}
/** Waits until all recorded notifications have been processed. */
const quiet = async () => {
  const { platform } = product()
  await until(async () => {
    const behind = await platform.db.asPlatform((db) =>
      db
        .selectFrom('push_senders as s')
        .innerJoin('feed_heads as f', 'f.tenant_id', 's.tenant_id')
        .select('s.tenant_id')
        .whereRef('s.last_seq', '<', 'f.last_seq')
        .execute(),
    )
    const left = await platform.db.asPlatform((db) =>
      db
        .selectFrom('push_notices')
        .select('seq')
        .whereRef('seq', '>', (w) => w.fn.coalesce('sent_seq', w.lit(0)))
        .execute(),
    )
    return left.length === 0 && behind.length === 0
  })
}
const rows = () =>
  product().platform.db.read(tenantId, (db) => db.selectFrom('push_subscriptions').selectAll().execute())

beforeAll(async () => {
  service = await startPushService()
  testChannel(product().platform)
})
afterAll(() => service.close())
beforeEach(async () => {
  tenantId = await m().tenant()
  queueId = await m().queue(tenantId)
  connectionId = await m().connection(tenantId, { type: 'test', queue_id: queueId })
  ana = await enter({ name: 'Ana', queues: [queueId] })
  bia = await enter({ name: 'Bia', queues: [queueId] })
})

describe('a device', () => {
  it('gets the company’s one public key, however many ask for the first time; the private one stays encrypted', async () => {
    const ask = (who: Person, of = tenantId) => call(product(), push.key, who.token, { params: { tenantId: of } })
    const replies = await Promise.all(Array.from({ length: 20 }, () => ask(ana)))
    const keys = new Set(replies.map(({ body }) => body.publicKey))
    expect([replies.map(({ status }) => status), keys.size]).toEqual([Array(20).fill(200), 1])
    expect([...keys][0]).toMatch(/^B[\w-]{86}$/)
    const sender = await product().platform.db.read(tenantId, (db) =>
      db.selectFrom('push_senders').selectAll().executeTakeFirstOrThrow(),
    )
    expect(sender.private_key.startsWith(`${product().platform.secrets.keyId}.`)).toBe(true)
    expect(JSON.stringify(replies)).not.toContain(sender.private_key)
    expect((await ask(ana, tenantId + 1)).status).toBe(404)
  })

  it('is kept encrypted, once per session and browser, and twenty of a person at most; what is no subscription is refused', async () => {
    const device = await deviceOf(ana)
    const again = await m().token(ana)
    await deviceOf(ana) // the same session in another browser
    expect((await subscribe(again, device.subscription)).status).toBe(200)
    expect((await subscribe(bia.token, device.subscription)).status).toBe(200) // the same browser, another person
    expect((await rows()).map((row) => row.user_id).sort()).toEqual([ana.id, bia.id].sort())
    expect(JSON.stringify(await rows())).not.toContain(device.subscription.endpoint)
    const shown = await call(product(), push.get, bia.token, {})
    expect(shown.body).toEqual({ isSubscribed: true, endpointEnd: device.subscription.endpoint.slice(-12) })

    const { endpoint, keys } = device.subscription
    const bad = [
      { endpoint: endpoint.replace('https:', 'http:'), keys },
      { endpoint: 'ftp://x', keys },
      { endpoint: `https://x/${'a'.repeat(2000)}`, keys },
      { endpoint, keys: { ...keys, auth: 'curta' } },
      { endpoint, keys: { ...keys, p256dh: 'A'.repeat(87) } },
      { endpoint },
    ]
    for (const one of bad) expect((await subscribe(ana.token, one)).status).toBe(400)
    expect((await subscribe(ana.token, device.subscription, { timeZone: 'Marte/Olimpo' })).status).toBe(400)

    for (let n = 0; n < 21; n++) await deviceOf(ana, await m().token(ana))
    expect((await rows()).filter((row) => row.user_id === ana.id)).toHaveLength(20)
  })

  it('is forgotten when it is switched off', async () => {
    await deviceOf(ana)
    expect((await call(product(), push.unsubscribe, ana.token, {})).body).toMatchObject({ isSubscribed: false })
    expect(await rows()).toEqual([])
  })
})

describe('a notice', () => {
  it('reaches every device of whom it concerns, encrypted, and is taken away when it was read on one', async () => {
    const id = await talking('Marlene', ana)
    const [desk, phone, other] = [await deviceOf(ana), await deviceOf(ana, await m().token(ana)), await deviceOf(bia)]
    await hear('Marlene', 'Vocês abrem\nsábado?')
    const [first, second] = [await desk.next(), await phone.next()]
    const { timestamp } = await lastMessage(id)
    expect(first.content).toMatchObject({
      kind: 'notice',
      tag: `/atendimento/${id}`,
      title: 'Marlene',
      text: 'Vocês abrem sábado?',
      at: timestamp.getTime(),
    })
    expect(second.content).toEqual(first.content)
    expect(first).toMatchObject({ urgency: 'high', subject: expect.stringMatching(/^(https:|mailto:)/) })
    expect(first.topic).toMatch(/^[\w-]{32}$/)
    expect(first.topic).not.toContain(String(id))

    await read(ana, id)
    expect([(await desk.next()).content, (await phone.next()).content]).toEqual(
      Array(2).fill({ kind: 'read', tag: `/atendimento/${id}` }),
    )
    await quiet()
    expect([desk.taken.length, phone.taken.length, other.taken.length]).toEqual([2, 2, 0])
    // Done again, it has nothing left to do.
    const { session_id: sessionId } = (await rows())[0]!
    await noticeJob.run(product().platform, { tenantId, sessionId, ticketId: id }, { requireOwnership: () => {} })
    expect(desk.taken).toHaveLength(2)
  })

  it('that was sent is not sent again, and what comes after it is', async () => {
    const id = await talking('Osvaldo', ana)
    const desk = await deviceOf(ana)
    await hear('Osvaldo', 'Um')
    await desk.next()
    await quiet()
    const { session_id: sessionId } = (await rows())[0]!
    const again = () =>
      noticeJob.run(product().platform, { tenantId, sessionId, ticketId: id }, { requireOwnership: () => {} })
    await Promise.all([again(), again(), again()])
    expect(desk.taken).toHaveLength(1)
    await hear('Osvaldo', 'Dois')
    expect((await desk.next()).content).toMatchObject({ text: 'Dois' })
  })

  it('tells whoever sees a queue of what comes there, and everybody that it is gone when one takes it', async () => {
    const [desk, other] = [await deviceOf(ana), await deviceOf(bia)]
    const stranger = await deviceOf(await enter({ name: 'Caio', queues: [await m().queue(tenantId)] }))
    // A message that the channel held back for an hour is history, even if it begins a conversation.
    await hear('Ontem', 'Atrasada', 3_600_000)
    const id = await hear('Jussara', 'Bom dia')
    expect([(await desk.next()).content, (await other.next()).content]).toMatchObject([
      { title: 'Jussara', text: 'Bom dia' },
      { title: 'Jussara', text: 'Bom dia' },
    ])
    await call(product(), tickets.update, bia.token, { params: { id }, body: { status: 'open', userId: bia.id } })
    expect((await desk.next()).content).toMatchObject({ kind: 'read' })
    await quiet()
    expect(stranger.taken).toEqual([])
  })

  it('tells of a mention by its words, and restricted people that there is something, without a word', async () => {
    const id = await talking('Dona Bete', ana)
    const restricted = await enter({ name: 'Rita', queues: [queueId], profile: 'user' })
    await product().platform.db.write(tenantId, (db) =>
      db.updateTable('users').set({ restricted_user: true }).where('id', '=', restricted.id).execute(),
    )
    product().platform.bus.stale(`actors ${tenantId}:${restricted.id}`)
    const [desk, hidden] = [await deviceOf(bia), await deviceOf(restricted)]
    await call(product(), messages.send, ana.token, {
      params: { ticketId: id },
      body: {
        ...{ idFront: `nota-${randomUUID()}`, body: '@Bia pode ver o *pedido*?', isNote: 'true' },
        mentionedUsers: [bia.id],
      },
    })
    expect((await desk.next()).content).toMatchObject({
      title: 'Ana mencionou você',
      text: '@Bia pode ver o *pedido*?',
    })
    await hear('Jandira', 'Meu CPF é 123')
    const { content } = await hidden.next()
    expect(content).toMatchObject({ title: 'Atendimento novo', text: '' })
    expect(JSON.stringify(content)).not.toMatch(/Jandira|CPF/)
  })

  it('tells who follows a ticket of the customer’s words and of what others make of it, until they read it', async () => {
    const id = await talking('Lurdes', ana)
    const restricted = await enter({ name: 'Rita', queues: [queueId] })
    for (const { token } of [bia, restricted])
      expect((await call(product(), tickets.follow, token, { params: { id } })).status).toBe(200)
    await product().platform.db.write(tenantId, (db) =>
      db.updateTable('users').set({ restricted_user: true }).where('id', '=', restricted.id).execute(),
    )
    product().platform.bus.stale(`actors ${tenantId}:${restricted.id}`)
    const stranger = await deviceOf(await enter({ name: 'Caio', queues: [queueId] }))
    const [desk, hidden] = [await deviceOf(bia), await deviceOf(restricted)]
    await hear('Lurdes', 'Chegou a peça?')
    const { timestamp } = await lastMessage(id)
    const said = { kind: 'notice', title: 'Lurdes', text: 'Chegou a peça?', at: timestamp.getTime() }
    expect((await desk.next()).content).toMatchObject(said)
    const masked = { title: 'Novidade em um atendimento que você segue', text: '' }
    expect((await hidden.next()).content).toMatchObject(masked)
    const move = (who: Person, body: object) => call(product(), tickets.update, who.token, { params: { id }, body })
    expect((await move(ana, { status: 'closed' })).status).toBe(200)
    expect((await desk.next()).content).toMatchObject({ title: 'Lurdes', text: 'Resolvido' })
    await read(bia, id)
    expect((await desk.next()).content).toMatchObject({ kind: 'read' })
    expect(stranger.taken).toEqual([])
    // A person's own action causes no notification, nor does a ticket no longer followed.
    expect((await move(bia, { status: 'pending' })).status).toBe(200)
    await quiet()
    expect((await call(product(), tickets.unfollow, bia.token, { params: { id } })).status).toBe(200)
    await give(id, ana)
    await hear('Lurdes', 'Alô?')
    await quiet()
    expect(desk.taken).toHaveLength(3)
  })

  it('is kept back from whoever is looking at the conversation, in their quiet hours, and from sessions that are over', async () => {
    const id = await talking('Nair', ana)
    const tokens = [await m().token(ana), await m().token(ana)]
    const desk = await deviceOf(ana)
    const [ended, left] = [await deviceOf(ana, tokens[0]), await deviceOf(ana, tokens[1])]
    const viewing = (state: 'viewing' | 'left') =>
      noteViewing(product().platform, tenantId, [
        {
          seq: null,
          channel: 'typing',
          type: 'presence',
          payload: { ticketId: id, state, who: { id: ana.id, name: 'Ana' } },
          audience: { kind: 'tenant' },
        },
      ])
    viewing('viewing')
    await hear('Nair', 'Está me vendo?')
    await quiet()
    viewing('left')
    const clockAt = (fromNow: number) =>
      new Intl.DateTimeFormat('pt-BR', { timeStyle: 'short', timeZone: 'America/Sao_Paulo' }).format(
        Date.now() + ahead + fromNow,
      )
    const quietHours = (on: boolean) =>
      call(product(), users.setConfigs, ana.token, {
        params: { id: ana.id },
        body: { preferences: { quiet: on, quietFrom: clockAt(-HOUR), quietTo: clockAt(HOUR) } },
      })
    expect((await quietHours(true)).status).toBe(200)
    await hear('Nair', 'Psiu')
    await quiet()
    expect([desk.calls, ended.calls, left.calls]).toEqual([0, 0, 0])
    await quietHours(false)
    const sessions = await call(product(), devices.list, tokens[0]!, {})
    const own = (sessions.body as unknown as { sessions: { id: string; isCurrent: boolean }[] }).sessions
    await call(product(), devices.revoke, tokens[0]!, { params: { id: own.find((one) => one.isCurrent)!.id } })
    await call(product(), devices.revokeOthers, ana.token, {})
    await hear('Nair', 'E agora?')
    expect((await desk.next()).content).toMatchObject({ text: 'E agora?' })
    await quiet()
    expect([ended.calls, left.calls, (await rows()).length]).toEqual([0, 0, 1])
  })

  it('forgets a device that its service knows no longer, or that stands where nobody may call; one that is busy is tried again', async () => {
    const id = await talking('Zenaide', ana)
    const gone = await deviceOf(ana)
    gone.answer(410)
    const inside = { ...service.device().subscription, endpoint: 'https://10.0.0.1/send/x' }
    expect((await subscribe(await m().token(ana), inside)).status).toBe(200)
    const busy = await deviceOf(ana, await m().token(ana))
    busy.answer(503)
    await hear('Zenaide', 'Alô')
    await until(async () => (await rows()).length === 1 && busy.calls > 0)
    const { session_id: sessionId } = (await rows())[0]!
    const again = () =>
      noticeJob.run(product().platform, { tenantId, sessionId, ticketId: id }, { requireOwnership: () => {} })
    await expect(again()).rejects.toMatchObject({ code: 'ERR_OUTSIDE_CALL' })
    busy.answer(201)
    await again()
    expect((await busy.next()).content).toMatchObject({ text: 'Alô' })
    expect(gone.calls).toBe(1)
  })
})

describe('a task', () => {
  const reminded = (owner: Person, changes: object = {}) => {
    const at = new Date(Date.now() + ahead - 1000)
    return m().insert('tasks', tenantId, {
      ...{ name: 'Ligar para Marlene', owner_id: owner.id, limit_date: '2199-12-31', remind_at: at },
      ...{ created_at: at, updated_at: at, ...changes },
    })
  }

  it('that somebody is given, or reminded of, comes to their devices once, and only while it is to be done', async () => {
    const [device, other] = [await deviceOf(ana), await deviceOf(bia)]
    const id = await reminded(ana)
    await reminded(ana, { name: 'Pronta', status: 'finished', finished_at: new Date() })
    await remindAll(product().platform)
    const { content: pushed } = await device.next()
    expect(pushed).toMatchObject({
      kind: 'notice',
      tag: `/tarefas/${id}`,
      title: 'Lembrete de tarefa',
      text: 'Ligar para Marlene',
    })
    await remindAll(product().platform)
    const body = {
      name: 'Levar amostras',
      limitDate: '2199-12-31',
      ownerId: bia.id,
      description: 'Na loja',
      priority: 'none',
    }
    expect((await call(product(), tasks.ops.create, ana.token, { body } as never)).status).toBe(200)
    expect((await other.next()).content).toMatchObject({
      title: 'Ana passou uma tarefa a você',
      text: 'Levar amostras',
    })
    await quiet()
    expect(device.taken.length).toBe(1)
  })
})
