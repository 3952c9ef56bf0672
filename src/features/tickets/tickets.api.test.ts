import { beforeAll, describe, expect, it } from 'vitest'
import type { MessageRow } from '#features/ledger/message-rows.ts'
import type { TicketDetail, TicketRow } from '#features/ledger/ticket-rows.ts'
import { messages } from '#features/messages/contract.ts'
import type { CallInput, Operation } from '#kit/contract.ts'
import { make, type Person } from '#test/make.ts'
import { call, type Reply, withProduct } from '#test/server.ts'
import { tickets } from './contract.ts'

const product = withProduct()
const m = () => make(product().platform)

type Body = TicketDetail & { error: string; ticket: TicketRow; details: Record<string, string> }
type List = { tickets: TicketRow[]; count: number; countIsCapped: boolean; hasMore: boolean; nextCursor: string | null }

async function ask<O extends Operation>(who: Person, op: O, input: Partial<CallInput<O>> = {}): Promise<Reply<Body>> {
  return call(product(), op, who.token, input)
}

async function list(who: Person, query: Record<string, unknown> = {}): Promise<List> {
  const reply = await ask(who, tickets.list, { query })
  expect(reply.status).toBe(200)
  return reply.body as unknown as List
}
const idsOf = async (who: Person, query: Record<string, unknown> = {}) =>
  (await list(who, query)).tickets.map((ticket) => ticket.id)

async function logTypes(who: Person, id: number): Promise<string[]> {
  const reply = await ask(who, tickets.logs, { params: { id } })
  return (reply.body as unknown as { logs: { type: string }[] }).logs.map((log) => log.type)
}

let tenantId: number
let queueId: number
let otherQueueId: number
let admin: Person
let ana: Person
let bia: Person
let stranger: Person

beforeAll(async () => {
  tenantId = await m().tenant()
  queueId = await m().queue(tenantId)
  otherQueueId = await m().queue(tenantId)
  admin = await m().person(tenantId, { profile: 'admin', name: 'Adele' })
  ana = await m().person(tenantId, { name: 'Ana', queues: [queueId] })
  bia = await m().person(tenantId, { name: 'Bia', queues: [otherQueueId] })
  stranger = await m().person(await m().tenant(), { profile: 'admin' })
})

const pending = () => m().ticket(tenantId, { status: 'pending', queue_id: queueId })
const openOf = (who: Person) => m().ticket(tenantId, { status: 'open', queue_id: queueId, user_id: who.id })
const closed = () => m().ticket(tenantId, { status: 'closed', queue_id: queueId, closed_at: new Date() })
const update = (who: Person, id: number, body: CallInput<typeof tickets.update>['body']) =>
  ask(who, tickets.update, { params: { id }, body })

describe('moves', () => {
  it('Atender makes a pending ticket one’s own and ends its chat flow', async () => {
    const id = await m().ticket(tenantId, { status: 'pending', queue_id: queueId, chat_flow_id: 5 })
    const { status, body } = await update(ana, id, { status: 'open', userId: ana.id })
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'open', userId: ana.id, username: 'Ana', chatFlowId: null })
    expect(body.startedAttendanceAt).toBeGreaterThan(0)
    expect(await logTypes(ana, id)).toEqual(['open'])
    // A repeat changes nothing and adds no log entry.
    expect((await update(ana, id, { status: 'open', userId: ana.id })).body.updatedAt).toBe(body.updatedAt)
    expect(await logTypes(ana, id)).toEqual(['open'])
  })

  it('Transferir to a person opens it there, to a queue leaves it pending', async () => {
    const id = await openOf(ana)
    const toBia = await update(ana, id, { isTransference: true, userId: bia.id, queueId: otherQueueId })
    expect(toBia.body).toMatchObject({ status: 'open', userId: bia.id, queueId: otherQueueId })
    expect(await logTypes(bia, id)).toEqual(['receivedTransfer', 'transfered'])
    const back = await update(bia, id, { isTransference: true, userId: null, queueId })
    expect(back.body).toMatchObject({ status: 'pending', userId: null, queueId, username: null })
    expect((await ask(bia, tickets.get, { params: { id } })).status).toBe(404)
  })

  it('Transferir with a note stores both or neither, and the note once however often it is asked', async () => {
    const id = await openOf(ana)
    const to = { queueId: otherQueueId, userId: bia.id, note: 'Já mandei o **orçamento**.', idFront: `transfer-${id}` }
    const transfer = (body: typeof to) => ask(ana, messages.transfer, { params: { id }, body })
    const refused = await transfer({ ...to, queueId: 999_999 })
    expect(refused.body).toMatchObject({ error: 'ERR_NO_QUEUE_FOUND' })
    const notes = async (who: Person) => {
      const { body } = await ask(who, messages.list, { params: { ticketId: id } })
      const found = (body as unknown as { messages: MessageRow[] }).messages
      return found.filter((one) => one.isNote).map(({ body: text, userName }) => [userName, text])
    }
    expect(await notes(ana)).toEqual([])
    const done = await Promise.all(Array.from({ length: 20 }, () => transfer(to)))
    // A giver may no longer see the ticket: only the first request succeeds.
    expect(done.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(done.every(({ status }) => status === 200 || status === 404)).toBe(true)
    expect(done.find(({ status }) => status === 200)?.body).toMatchObject({ status: 'open', username: 'Bia' })
    expect(await notes(bia)).toEqual([['Ana', 'Já mandei o **orçamento**.']])
    expect(await logTypes(bia, id)).toEqual(['receivedTransfer', 'transfered'])
  })

  it('another person’s id or another queue transfers, even when nobody says that it is a transference', async () => {
    const id = await openOf(ana)
    expect((await update(ana, id, { status: 'open', userId: bia.id })).body).toMatchObject({ userId: bia.id })
    const toQueue = await update(admin, id, { queueId: otherQueueId })
    expect(toQueue.body).toMatchObject({ status: 'pending', userId: null, queueId: otherQueueId })
  })

  it('Retornar gives it back to the queue; the setting keeps the person', async () => {
    const id = await openOf(ana)
    expect((await update(ana, id, { status: 'pending', userId: null })).body).toMatchObject({
      status: 'pending',
      userId: null,
    })
    await m().setting(tenantId, 'forcePendingUser', 'enabled')
    const kept = await openOf(ana)
    expect((await update(ana, kept, { status: 'pending', userId: null })).body.userId).toBe(ana.id)
    await m().setting(tenantId, 'forcePendingUser', 'disabled')
  })

  it('Resolver closes, and nobody waits any more', async () => {
    const id = await m().ticket(tenantId, { queue_id: queueId, user_id: ana.id, waiting_since: new Date() })
    const { body } = await update(ana, id, { status: 'closed', userId: ana.id })
    expect(body).toMatchObject({ status: 'closed', userId: ana.id, waitingSince: null })
    expect(body.closedAt).toBeGreaterThan(0)
  })

  it('Reabrir wakes a closed ticket', async () => {
    const id = await closed()
    expect((await update(ana, id, { status: 'open', userId: ana.id })).body).toMatchObject({
      status: 'open',
      userId: ana.id,
      closedAt: null,
    })
    const other = await closed()
    expect((await update(ana, other, { status: 'pending' })).body).toMatchObject({ status: 'pending', userId: null })
  })

  it('does not wake a ticket whose conversation has another active one, and names that one', async () => {
    const connection_id = await m().connection(tenantId)
    const contact_id = await m().contact(tenantId, { name: 'Dona Rita' })
    const same = { connection_id, contact_id, conversation_key: 'rita', queue_id: queueId }
    const old = await m().ticket(tenantId, { ...same, status: 'closed' })
    const active = await m().ticket(tenantId, { ...same, status: 'pending' })
    const refused = await update(ana, old, { status: 'open', userId: ana.id })
    expect(refused.status).toBe(409)
    expect(refused.body).toMatchObject({ error: 'ERR_OTHER_OPEN_TICKET', ticket: { id: active, name: 'Dona Rita' } })
    const force = await ask(ana, tickets.force, { params: { id: old }, body: { status: 'open' } })
    expect(force.body).toMatchObject({ error: 'ERR_OTHER_OPEN_TICKET', ticket: { id: active } })
  })

  it.each([
    ['Resolver what is closed', closed, { status: 'closed' }],
    ['Retornar what is pending', pending, { status: 'pending' }],
  ] as const)('refuses %s', async (_, start, body) => {
    const { status, body: refusal } = await update(ana, await start(), body)
    expect([status, refusal.error]).toEqual([409, 'ERR_TICKET_TRANSITION'])
  })

  it('leaves other people’s tickets alone where assigned ones are hidden, except for admins', async () => {
    await m().setting(tenantId, 'NotViewAssignedTickets', 'enabled')
    const group = { is_group: true, queue_id: queueId, user_id: bia.id }
    await m().setting(tenantId, 'showGroupsForAll', 'enabled')
    const id = await m().ticket(tenantId, group)
    const refused = await update(ana, id, { status: 'open', userId: ana.id })
    expect([refused.status, refused.body.error]).toEqual([403, 'ERR_NO_PERMISSION'])
    const taken = await update(admin, id, { status: 'open', userId: admin.id })
    expect(taken).toMatchObject({ status: 409, body: { error: 'ERR_TICKET_TAKEN', details: { user: bia.name } } })
    const force = { params: { id }, body: { status: 'open', userId: admin.id } } as const
    expect((await ask(admin, tickets.force, force)).body.userId).toBe(admin.id)
    await m().setting(tenantId, 'NotViewAssignedTickets', 'disabled')
    await m().setting(tenantId, 'showGroupsForAll', 'disabled')
  })

  it.each([
    ['a user who is not there', { isTransference: true, userId: 999_999 }, 'ERR_NO_USER_FOUND'],
    ['a queue that is not there', { isTransference: true, queueId: 999_999 }, 'ERR_NO_QUEUE_FOUND'],
    ['a tag that is not there', { tagIds: [999_999] }, 'ERR_NO_TAG_FOUND'],
  ])('does not go to %s', async (_, body, code) => {
    const { status, body: refusal } = await update(ana, await openOf(ana), body)
    expect([status, refusal.error]).toEqual([404, code])
  })

  it('does not go to a user who left, nor to one of another tenant', async () => {
    const gone = await m().user(tenantId)
    await product().platform.db.asPlatform((db) =>
      db.updateTable('users').set({ is_active: false }).where('id', '=', gone.id).execute(),
    )
    for (const userId of [gone.id, stranger.id]) {
      const { body } = await update(ana, await openOf(ana), { isTransference: true, userId })
      expect(body.error).toBe('ERR_NO_USER_FOUND')
    }
  })

  it('Forçar sets the status outright and keeps the owner; null takes the owner away', async () => {
    const id = await openOf(ana)
    const forced = await ask(ana, tickets.force, { params: { id }, body: { status: 'closed' } })
    expect(forced.body).toMatchObject({ status: 'closed', userId: ana.id })
    const nulled = await ask(admin, tickets.force, { params: { id }, body: { status: 'pending', userId: null } })
    expect(nulled.body).toMatchObject({ status: 'pending', userId: null, closedAt: null })
    expect(await logTypes(admin, id)).toEqual(['force', 'force'])
  })

  it('the null variant is for tickets without queue and owner only', async () => {
    const bot = await m().ticket(tenantId, { status: 'pending', chat_flow_id: 3 })
    const done = await ask(admin, tickets.nullify, { params: { id: bot }, body: { status: 'open' } })
    expect(done.body).toMatchObject({ status: 'open', userId: admin.id, chatFlowId: null })
    const refused = await ask(admin, tickets.nullify, { params: { id: await pending() }, body: { status: 'open' } })
    expect(refused.body.error).toBe('ERR_TICKET_TRANSITION')
  })

  it('of two who accept at once, twice each, one has it and the other reads who', async () => {
    const id = await pending()
    const people = [ana, admin, ana, admin]
    const all = await Promise.all(people.map((who) => update(who, id, { status: 'open', userId: who.id })))
    const { body } = await ask(admin, tickets.get, { params: { id } })
    const winner = body.userId === ana.id ? ana : admin
    const loser = { status: 409, body: { error: 'ERR_TICKET_TAKEN', details: { user: winner.name } } }
    for (const [at, who] of people.entries()) expect(all[at]).toMatchObject(who === winner ? { status: 200 } : loser)
    expect(await logTypes(admin, id)).toHaveLength(1)
  })
})

describe('what a change leaves alone', () => {
  it('the place in the list changes with status, owner and queue only', async () => {
    const id = await m().ticket(tenantId, {
      queue_id: queueId,
      user_id: ana.id,
      updated_at: '2026-01-02T03:04:05.678Z',
    })
    const tag = await m().tag(tenantId, { tag: 'Urgente' })
    const { body } = await update(ana, id, {
      unreadMessages: 3,
      value: '1500.5',
      tagIds: [tag],
      difyStatus: 'enabled',
    })
    expect(body).toMatchObject({
      unreadMessages: 3,
      kanban: null,
      value: '1500.50',
      tags: [{ id: tag, tag: 'Urgente' }],
      difyStatus: 'enabled',
      claudeStatus: 'disabled',
      updatedAt: '2026-01-02T03:04:05.678Z',
    })
    const emptied = await update(ana, id, { tagIds: [], value: null, kanban: null, claudeStatus: 'enabled' })
    expect(emptied.body).toMatchObject({ tags: [], value: null, kanban: null, difyStatus: 'enabled' })
    expect((await update(ana, id, { status: 'closed' })).body.updatedAt > '2026-01-03').toBe(true)
  })

  it('a stage that the company does not have is refused, whatever its number; no stage is none', async () => {
    const id = await m().ticket(tenantId, { queue_id: queueId, user_id: ana.id, unread_messages: 2 })
    for (const kanban of [1, 4, 2 ** 40]) {
      const reply = await update(ana, id, { kanban, unreadMessages: 0 })
      expect([reply.status, reply.body]).toMatchObject([
        400,
        { details: { kanban: 'Esta etapa do kanban não existe.' } },
      ])
    }
    expect((await ask(admin, tickets.get, { params: { id } })).body).toMatchObject({ kanban: null, unreadMessages: 2 })
    expect((await update(ana, id, { kanban: null })).status).toBe(200)
  })

  it('a refused part undoes the whole request', async () => {
    const id = await openOf(ana)
    await update(ana, id, { status: 'closed', tagIds: [999_999] })
    expect((await ask(ana, tickets.get, { params: { id } })).body.status).toBe('open')
    expect(await logTypes(ana, id)).toEqual([])
  })

  it('unknown fields are refused by name', async () => {
    const { status, body } = await update(ana, await openOf(ana), { state: 'closed' } as never)
    expect([status, body.error, Object.keys(body.details)]).toEqual([400, 'ERR_VALIDATION', ['state']])
  })
})

describe('who may', () => {
  it('a ticket that is hidden or of another tenant does not exist, whatever is asked of it', async () => {
    const id = await m().ticket(tenantId, { status: 'pending', queue_id: otherQueueId })
    for (const who of [ana, stranger]) {
      const replies = [
        await ask(who, tickets.get, { params: { id } }),
        await ask(who, tickets.logs, { params: { id } }),
        await ask(who, tickets.explain, { params: { id } }),
        await update(who, id, { status: 'open' }),
        await ask(who, tickets.force, { params: { id }, body: { status: 'closed' } }),
        await ask(who, tickets.nullify, { params: { id }, body: { status: 'closed' } }),
        await ask(who, tickets.draft, { params: { id }, body: { body: 'oi' } }),
        await ask(who, tickets.getDraft, { params: { id } }),
      ]
      expect(replies.map((reply) => [reply.status, reply.body.error])).toEqual(
        replies.map(() => [404, 'ERR_NO_TICKET_FOUND']),
      )
      expect(await idsOf(who, { searchParam: String(id) })).not.toContain(id)
    }
    expect((await ask(bia, tickets.get, { params: { id } })).status).toBe(200)
  })

  it('the owner of the installation attends in the own tenant like an admin, in others not at all', async () => {
    const owner = await m().person(tenantId, { profile: 'superadmin' })
    const id = await pending()
    expect((await update(owner, id, { status: 'open', userId: owner.id })).body).toMatchObject({ userId: owner.id })
    expect(await idsOf(owner, { showAll: true })).toContain(id)
    const elsewhere = await m().person(stranger.tenantId, { profile: 'superadmin' })
    expect((await ask(elsewhere, tickets.get, { params: { id } })).status).toBe(404)
    expect(await idsOf(elsewhere, { showAll: true })).toEqual([])
  })

  it('says which rule decided, for oneself and (to leads) for a colleague', async () => {
    const id = await m().ticket(tenantId, { status: 'pending', queue_id: otherQueueId })
    const rule = async (who: Person, userId?: number) =>
      (await ask(who, tickets.explain, { params: { id }, ...(userId ? { query: { userId } } : {}) })).body
    expect(await rule(admin)).toEqual({ visible: true, rule: 'showAll', tab: 'pending' })
    expect(await rule(admin, ana.id)).toEqual({ visible: false, rule: 'queues', tab: 'pending' })
    expect(await rule(bia)).toEqual({ visible: true, rule: 'unrefused', tab: 'pending' })
    expect(await rule(bia, ana.id)).toMatchObject({ error: 'ERR_NO_PERMISSION' })
    expect(await rule(admin, stranger.id)).toMatchObject({ error: 'ERR_NO_USER_FOUND' })
  })

  it('names the tab of a ticket: what is snoozed and what a chatbot attends stand in their own', async () => {
    const chat_flow_id = await m().insert('chat_flows', tenantId, { name: 'Recepção' })
    const tabOf = async (row: object) => {
      const id = await m().ticket(tenantId, { status: 'open', user_id: ana.id, queue_id: queueId, ...row })
      return ((await ask(admin, tickets.explain, { params: { id } })).body as unknown as { tab: string }).tab
    }
    const inFlow = { status: 'pending', user_id: null, chat_flow_id }
    const snoozed = { snoozed_until: new Date(Date.now() + 86_400_000) }
    const all = [
      {},
      { status: 'pending', user_id: null },
      { status: 'closed' },
      snoozed,
      { ...inFlow, ...snoozed },
      inFlow,
      { status: 'pending', user_id: null, assistants: { gemini: true } },
      { status: 'pending', user_id: null, assistants: { gemini: true, failed: true } },
    ]
    const tabs = async () => {
      const found: string[] = []
      for (const row of all) found.push(await tabOf(row))
      return found
    }
    const others = ['open', 'pending', 'closed', 'snoozed', 'snoozed']
    expect(await tabs()).toEqual([...others, 'pending', 'pending', 'pending'])
    await m().setting(tenantId, 'showChatBot', 'enabled')
    expect(await tabs()).toEqual([...others, 'chatbot', 'chatbot', 'pending'])
    await m().setting(tenantId, 'showChatBot', 'disabled')
  })

  it('leads read which rule hides a ticket from whom, by name; others are not told', async () => {
    const id = await m().ticket(tenantId, { status: 'pending', queue_id: otherQueueId })
    const reply = await ask(admin, tickets.viewers, { params: { id } })
    const { people } = reply.body as unknown as {
      people: { id: number; name: string; visible: boolean; rule: string }[]
    }
    const of = (who: Person) => people.find((one) => one.id === who.id)
    expect(of(ana)).toEqual({ id: ana.id, name: ana.name, visible: false, rule: 'queues' })
    expect(of(bia)).toMatchObject({ visible: true, rule: 'unrefused' })
    expect(of(admin)).toMatchObject({ visible: true, rule: 'showAll' })
    expect(of(stranger)).toBeUndefined()
    const order = [admin, ana, bia].map((who) => people.findIndex((one) => one.id === who.id))
    expect(order).toEqual(order.toSorted((a, b) => a - b))
    const first = await ask(admin, tickets.viewers, { params: { id }, query: { cursor: btoa('["ana%22]') } })
    expect(first.status).toBe(400)
    expect((await ask(bia, tickets.viewers, { params: { id } })).status).toBe(403)
    const elsewhere = await m().person(stranger.tenantId, { profile: 'admin' })
    expect((await ask(elsewhere, tickets.viewers, { params: { id } })).status).toBe(404)
  })

  it('behind a search leads read what keeps a ticket out of their list', async () => {
    const contact = await m().contact(tenantId, { name: 'Zuleica Escondida' })
    const id = await m().ticket(tenantId, {
      status: 'open',
      user_id: bia.id,
      queue_id: otherQueueId,
      contact_id: contact,
    })
    const hidden = async (who: Person, query: Record<string, unknown>) => {
      const reply = await ask(who, tickets.hidden, { query: { searchParam: 'zuleica', ...query } })
      const { tickets: found } = reply.body as unknown as { tickets?: { ticket: TicketRow; rule: string }[] }
      return found?.map(({ ticket, rule }) => [ticket.id, rule]) ?? reply.status
    }
    const every = ['open', 'pending', 'closed']
    expect(await hidden(admin, { status: every, scope: 'mine' })).toEqual([[id, 'narrowing']])
    expect(await hidden(admin, { status: every, queuesIds: queueId })).toEqual([[id, 'narrowing']])
    expect(await hidden(admin, { status: 'closed' })).toEqual([[id, 'status']])
    expect(await hidden(admin, { status: every })).toEqual([])
    expect(await hidden(admin, { searchParam: '' })).toBe(400)
    expect(await hidden(bia, { status: every })).toBe(403)
    await m().setting(tenantId, 'NotViewAssignedTickets', 'enabled')
    expect(await hidden(admin, { status: every })).toEqual([[id, 'assigned']])
    await m().setting(tenantId, 'NotViewAssignedTickets', 'disabled')
  })
})
