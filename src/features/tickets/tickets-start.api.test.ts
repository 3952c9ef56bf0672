import { beforeAll, describe, expect, it } from 'vitest'
import { connections } from '#features/connections/contract.ts'
import type { TicketDetail, TicketRow } from '#features/ledger/ticket-rows.ts'
import type { CallInput, Operation } from '#kit/contract.ts'
import { type Change, type DeliveredForm, deliveredForm } from '#server/realtime/audience.ts'
import { make, type Person } from '#test/make.ts'
import { call, type Reply, withProduct } from '#test/server.ts'
import { tickets } from './contract.ts'

const product = withProduct()
const m = () => make(product().platform)

type Body = TicketDetail & { error: string; ticket: Partial<TicketRow> }

const ask = <O extends Operation>(who: Person, op: O, input: Partial<CallInput<O>> = {}): Promise<Reply<Body>> =>
  call(product(), op, who.token, input)
const start = (who: Person, body: CallInput<typeof tickets.create>['body']) => ask(who, tickets.create, { body })

let tenantId: number
let queueId: number
let lineId: number
let admin: Person
let ana: Person
let bia: Person

beforeAll(async () => {
  tenantId = await m().tenant()
  queueId = await m().queue(tenantId)
  const otherQueue = await m().queue(tenantId)
  lineId = await m().connection(tenantId, { name: 'Balcão', is_default: true, queue_id: queueId })
  admin = await m().person(tenantId, { profile: 'admin' })
  ana = await m().person(tenantId, { queues: [queueId], name: 'Ana' })
  bia = await m().person(tenantId, { queues: [otherQueue], name: 'Bia' })
})

describe('starting a conversation', () => {
  it('is one’s own, on the default connection, in its queue', async () => {
    const contactId = await m().contact(tenantId, { name: 'Seu Jorge', number: '5511911112222' })
    const { status, body } = await start(ana, { contactId })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      status: 'open',
      userId: ana.id,
      queueId,
      whatsappId: lineId,
      name: 'Seu Jorge',
      isActiveDemand: true,
      isGroup: false,
      whatsapp: { name: 'Balcão', type: 'lab' },
      contactDetail: { otherTickets: 0 },
    })
    const day = new Intl.DateTimeFormat('sv', { timeZone: 'America/Sao_Paulo' }).format(new Date(body.createdAt))
    expect(body.protocol).toBe(`${day.replaceAll('-', '')}${body.id}`)
    const logs = await ask(ana, tickets.logs, { params: { id: body.id } })
    expect(logs.body).toMatchObject({
      logs: [
        { type: 'open', label: 'Iniciou o atendimento', user: { name: 'Ana' } },
        { type: 'create', label: 'Ticket criado', user: { name: 'Ana' } },
      ],
    })
  })

  it('can be left pending, for a colleague, on another connection', async () => {
    const other = await m().connection(tenantId)
    const contactId = await m().contact(tenantId)
    const body = { contactId, channelId: other, status: 'pending', userId: bia.id, isActiveDemand: false } as const
    expect((await start(ana, body)).body).toMatchObject({
      status: 'pending',
      userId: bia.id,
      queueId: null,
      whatsappId: other,
      isActiveDemand: false,
      startedAttendanceAt: null,
    })
  })

  it('answers 409 with the ticket that is there already; who may not see it learns who attends it, no more', async () => {
    const contactId = await m().contact(tenantId, { name: 'Cliente antigo' })
    const { body: first } = await start(ana, { contactId })
    const again = await start(ana, { contactId })
    expect(again.status).toBe(409)
    expect(again.body).toMatchObject({
      error: 'ERR_OTHER_OPEN_TICKET',
      ticket: { id: first.id, name: 'Cliente antigo' },
    })
    expect(typeof again.body.ticket.lastMessageAt).toBe('number')
    const hidden = await start(bia, { contactId })
    expect(hidden.body.ticket).toMatchObject({ id: first.id, username: 'Ana' })
    expect(hidden.body.ticket).not.toHaveProperty('contact')
    const check = { params: { a: contactId, b: lineId } }
    expect((await ask(bia, tickets.check, check)).body).toMatchObject({ ticket: { id: first.id } })
    await ask(ana, tickets.update, { params: { id: first.id }, body: { status: 'closed' } })
    const free = await ask(bia, tickets.check, check)
    expect([free.status, free.body]).toEqual([200, null])
  })

  it('twenty at once make one ticket', async () => {
    const contactId = await m().contact(tenantId)
    const replies = await Promise.all(Array.from({ length: 20 }, () => start(ana, { contactId })))
    const made = replies.filter((reply) => reply.status === 200)
    expect(made).toHaveLength(1)
    expect(replies.filter((reply) => reply.status === 409).map((reply) => reply.body.ticket.id)).toEqual(
      Array.from({ length: 19 }, () => made[0]!.body.id),
    )
  })

  it('twenty who wake two closed tickets of a conversation at once wake one', async () => {
    const contact_id = await m().contact(tenantId)
    const row = { status: 'closed', contact_id, connection_id: lineId, conversation_key: 'dois', queue_id: queueId }
    const both = [await m().ticket(tenantId, row), await m().ticket(tenantId, row)]
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        ask(ana, tickets.update, { params: { id: both[n % 2]! }, body: { status: 'open', userId: ana.id } }),
      ),
    )
    expect(new Set(replies.filter((reply) => reply.status === 200).map((reply) => reply.body.id)).size).toBe(1)
    expect(replies.filter((reply) => reply.status === 409)).toHaveLength(10)
  })

  it('names the conversation as the contact’s next message will', async () => {
    const contactId = await m().contact(tenantId, { number: '5511933334444' })
    const { body } = await start(ana, { contactId })
    const rows = await product().platform.db.read(tenantId, (db) =>
      db
        .selectFrom('tickets')
        .innerJoin('contact_identities', (join) =>
          join
            .onRef('contact_identities.contact_id', '=', 'tickets.contact_id')
            .onRef('contact_identities.identity', '=', 'tickets.conversation_key'),
        )
        .select(['conversation_key', 'contact_identities.channel'])
        .where('tickets.id', '=', body.id)
        .execute(),
    )
    expect(rows).toEqual([{ conversation_key: '5511933334444', channel: 'lab' }])
  })

  it.each([
    ['a contact that is not there', { contactId: 999_999 }, 'ERR_NO_CONTACT_FOUND'],
    ['a connection that is not there', { whatsappId: 999_999 }, 'ERR_NO_WAPP_FOUND'],
    ['a kind of channel without a default', { channel: 'telegram' }, 'ERR_NO_DEF_WAPP_FOUND'],
    ['a colleague who is not there', { userId: 999_999 }, 'ERR_NO_USER_FOUND'],
    ['a queue that is not there', { queueId: 999_999 }, 'ERR_NO_QUEUE_FOUND'],
  ])('is refused for %s', async (_, body, code) => {
    const contactId = await m().contact(tenantId)
    expect((await start(ana, { contactId, ...body })).body.error).toBe(code)
  })

  it('is refused for a widget’s visitor who never wrote, and a connection that one may not use', async () => {
    const contactId = await m().contact(tenantId)
    const widget = await m().connection(tenantId, { type: 'webchat' })
    expect((await start(ana, { contactId, whatsappId: widget })).body.error).toBe('ERR_WAPP_CHECK_CONTACT')
    const who = await m().person(tenantId)
    await product().platform.db.asPlatform((db) =>
      db
        .insertInto('user_connections')
        .values({ tenant_id: tenantId, user_id: who.id, connection_id: widget })
        .execute(),
    )
    expect((await start(who, { contactId, whatsappId: lineId })).body.error).toBe('ERR_NO_PERMISSION')
    const { body } = await call(product(), connections.list, who.token)
    const { connections: listed } = body as unknown as { connections: { id: number; isAllowed: boolean }[] }
    expect(listed.filter((one) => one.isAllowed).map((one) => one.id)).toEqual([widget])
    expect(listed.map((one) => one.id)).toContain(lineId)
  })
})

describe('drafts', () => {
  it('belong to the one who writes, show in the list, and go when emptied', async () => {
    const id = await m().ticket(tenantId, { status: 'pending', queue_id: queueId })
    const params = { id }
    const put = (body: string, isNote = false) => ask(ana, tickets.draft, { params, body: { body, isNote } })
    await put('Bom dia, ')
    const kept = { body: 'Bom dia, Rita', isNote: true, quotedMsg: null, mail: null, revision: 2 }
    expect((await put('Bom dia, Rita', true)).body).toEqual(kept)
    expect((await ask(ana, tickets.getDraft, { params })).body).toEqual(kept)
    expect((await ask(admin, tickets.getDraft, { params })).body).toMatchObject({ body: '', revision: 0 })
    const row = async (who: Person) => {
      const { body } = await ask(who, tickets.list, { query: { searchParam: String(id) } })
      return (body as unknown as { tickets: TicketRow[] }).tickets.find((ticket) => ticket.id === id)
    }
    expect([(await row(ana))?.draft, (await row(admin))?.draft]).toEqual(['Bom dia, Rita', null])
    await put(' \n')
    expect((await row(ana))?.draft).toBeNull()
  })
})

describe('who hears of a change', () => {
  async function during(work: () => Promise<unknown>): Promise<readonly Change[]> {
    const heard: Change[] = []
    const { bus } = product().platform
    const stop = bus.subscribe((tenant, changes) => {
      if (tenant === tenantId) heard.push(...changes)
    })
    await work()
    await expect.poll(() => heard.length).toBeGreaterThan(0)
    stop()
    return heard
  }

  async function hearing(change: Change): Promise<Record<string, DeliveredForm | null>> {
    const { platform } = product()
    const settings = await platform.settings.get(String(tenantId))
    const entries = Object.entries({ admin, ana, bia }).map(async ([name, who]) => {
      const actor = (await platform.actors.get(`${tenantId}:${who.id}`))!
      return [name, deliveredForm(change, actor, settings)] as const
    })
    return Object.fromEntries(await Promise.all(entries))
  }

  it('a transfer out of sight is a disappearance for the one and a sight for the other', async () => {
    const id = await m().ticket(tenantId, { queue_id: queueId, user_id: ana.id })
    await ask(ana, tickets.draft, { params: { id }, body: { body: 'só meu' } })
    const heard = await during(() =>
      ask(ana, tickets.update, { params: { id }, body: { isTransference: true, userId: bia.id, queueId: null } }),
    )
    const [[change, ...more], own] = [
      heard.filter(({ type }) => type === 'ticket:update'),
      heard.filter(({ type }) => type !== 'ticket:update'),
    ]
    expect(more).toEqual([])
    expect(await Promise.all(own.map(hearing))).toEqual([{ admin: null, ana: null, bia: 'event' }])
    expect(change).toMatchObject({ type: 'ticket:update', payload: { id, userId: bia.id, draft: null } })
    expect(await hearing(change!)).toEqual({ admin: 'event', ana: 'gone', bia: 'event' })
  })

  it('a new ticket is told to those who may see it', async () => {
    const contactId = await m().contact(tenantId)
    const [change] = await during(() => start(ana, { contactId }))
    expect(change).toMatchObject({ type: 'ticket:create', payload: { userId: ana.id } })
    expect(await hearing(change!)).toEqual({ admin: 'event', ana: 'event', bia: null })
  })

  it('a refused change, or one that changes nothing, is told to nobody', async () => {
    const id = await m().ticket(tenantId, { status: 'closed', queue_id: queueId })
    const own = await m().ticket(tenantId, { queue_id: queueId, user_id: ana.id, started_attendance_at: new Date() })
    const heard = await during(async () => {
      await ask(ana, tickets.update, { params: { id: own }, body: { status: 'open', userId: ana.id } })
      await ask(ana, tickets.update, { params: { id }, body: { status: 'closed' } })
      await start(ana, { contactId: await m().contact(tenantId) })
    })
    expect(heard.map((change) => change.type)).toEqual(['ticket:create'])
  })
})
