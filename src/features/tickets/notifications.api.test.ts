import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { messages } from '#features/messages/contract.ts'
import { type NotificationRow, notifications } from '#features/messages/notifications-contract.ts'
import { readChanges } from '#server/realtime/bus.ts'
import { make } from '#test/make.ts'
import { call, withProduct } from '#test/server.ts'
import { tickets } from './contract.ts'

const product = withProduct()
const m = () => make(product().platform)

type Person = { id: number; name: string; token: string }
type Page = { notifications: NotificationRow[]; hasMore: boolean; nextCursor: string | null }

let tenantId: number
let queueId: number
let otherQueueId: number
let ana: Person
let bia: Person
let stranger: Person

const enter = async (input: Parameters<ReturnType<typeof make>['user']>[1]): Promise<Person> => {
  const user = await m().user(tenantId, input)
  return { ...user, token: await m().token(user) }
}

beforeAll(async () => {
  tenantId = await m().tenant()
  queueId = await m().queue(tenantId)
  otherQueueId = await m().queue(tenantId)
})
beforeEach(async () => {
  await product().platform.db.asPlatform((db) => db.updateTable('users').set({ is_active: false }).execute())
  ana = await enter({ name: 'Ana', queues: [queueId] })
  bia = await enter({ name: 'Bia', queues: [queueId] })
  stranger = await enter({ name: 'Caio', queues: [otherQueueId] })
})

const list = async (who: Person, query: { cursor?: string } = {}) => {
  const reply = await call(product(), notifications.list, who.token, { query })
  expect(reply.status).toBe(200)
  return reply.body as unknown as Page
}
const rows = async (who: Person) => (await list(who)).notifications
const unread = async (who: Person) => {
  const { body } = await call(product(), notifications.unread, who.token, {})
  return (body as unknown as { count: number }).count
}
const markRead = (who: Person, ticketId?: number) =>
  call(product(), notifications.read, who.token, { body: ticketId ? { ticketId } : {} })
const ticket = (row: Parameters<ReturnType<typeof make>['ticket']>[1] = {}) =>
  m().ticket(tenantId, { queue_id: queueId, ...row })
let notes = 0
// Creates a note that mentions the people named in it.
const note = async (who: Person, ticketId: number, body: string) => {
  const mentionedUsers = [ana, bia, stranger].filter(({ name }) => body.includes(`@${name}`)).map(({ id }) => id)
  const reply = await call(product(), messages.send, who.token, {
    params: { ticketId },
    body: { idFront: `nota-${++notes}-de-teste`, body, isNote: 'true', mentionedUsers },
  })
  expect(reply.status).toBe(200)
  return (reply.body as unknown as { messages: { id: string; timestamp: number }[] }).messages[0]!
}
const move = (who: Person, id: number, body: object) =>
  call(product(), tickets.update, who.token, { params: { id }, body })

describe('what concerns a person', () => {
  it('is a mention, opened at the first one that was not read', async () => {
    const id = await ticket({ user_id: bia.id })
    const first = await note(bia, id, '@Ana pode ver? @Bia também')
    await note(bia, id, 'E isto, @Ana')
    expect(await rows(bia)).toEqual([])
    expect(await rows(ana)).toMatchObject([
      {
        ticketId: id,
        mentions: 2,
        transfers: 0,
        answers: 0,
        by: 'Bia',
        text: '@Ana pode ver? @Bia também',
        timestamp: first.timestamp,
        isRead: false,
      },
    ])
    expect(await unread(ana)).toBe(1)
  })

  it('is a ticket that a colleague gives, by whatever way; not one that the person takes', async () => {
    const given = await ticket({ user_id: bia.id })
    const forced = await ticket({ user_id: bia.id })
    const taken = await ticket({ status: 'pending' })
    await move(bia, given, { isTransference: true, userId: ana.id, queueId })
    await call(product(), tickets.force, bia.token, {
      params: { id: forced },
      body: { status: 'open', userId: ana.id },
    })
    await move(ana, taken, { status: 'open', userId: ana.id })
    const contactId = await m().contact(tenantId)
    const whatsappId = await m().connection(tenantId)
    const made = await call(product(), tickets.create, bia.token, { body: { contactId, whatsappId, userId: ana.id } })
    expect(made.status).toBe(200)
    const { id: started } = made.body as unknown as { id: number }
    const found = await rows(ana)
    expect(found.map(({ ticketId }) => ticketId)).toEqual([started, forced, given])
    expect(found).toMatchObject([1, 2, 3].map(() => ({ transfers: 1, mentions: 0, by: 'Bia', timestamp: null })))
  })

  it('is an answer on the own ticket, from its first unread message on, and nobody else’s', async () => {
    const id = await ticket({ user_id: ana.id, unread_messages: 2, last_message: 'Alô?' })
    await m().message(tenantId, id, { timestamp: new Date(1e12) })
    await m().message(tenantId, id, { timestamp: new Date(1e12 + 1) })
    const last = await m().message(tenantId, id, { timestamp: new Date(1e12 + 2) })
    expect(await rows(ana)).toMatchObject([
      { ticketId: id, answers: 2, text: 'Alô?', timestamp: 1e12 + 1, isRead: false },
    ])
    expect(await rows(bia)).toEqual([])
    await call(product(), tickets.read, bia.token, { params: { id }, body: { messageId: last } })
    expect(await unread(ana)).toBe(1)
    await call(product(), tickets.read, ana.token, { params: { id }, body: { messageId: last } })
    expect(await rows(ana)).toEqual([])
  })

  it('is one line for a ticket, whatever happened on it', async () => {
    const id = await ticket({ user_id: bia.id, unread_messages: 1 })
    await move(bia, id, { isTransference: true, userId: ana.id, queueId })
    await note(bia, id, '@Ana, cuida?')
    expect(await rows(ana)).toMatchObject([{ mentions: 1, transfers: 1, answers: 1 }])
    expect(await unread(ana)).toBe(1)
  })

  it('is not told of tickets that the person does not see', async () => {
    const theirs = await ticket({ user_id: bia.id })
    await note(bia, theirs, '@Ana')
    await move(bia, theirs, { isTransference: true, userId: null, queueId: otherQueueId })
    expect(await rows(ana)).toEqual([])
    expect(await unread(ana)).toBe(0)
    expect((await markRead(ana, theirs)).status).toBe(200)
    await move(stranger, theirs, { isTransference: true, userId: null, queueId })
    expect(await rows(ana)).toMatchObject([{ ticketId: theirs, mentions: 1 }])
  })

  it('is read by reading the conversation as far as it, and what comes later is new', async () => {
    const id = await ticket({ user_id: bia.id })
    const before = await m().message(tenantId, id, { timestamp: new Date(1e12) })
    const mention = await note(bia, id, '@Ana')
    const read = (messageId: string) =>
      call(product(), tickets.read, ana.token, { params: { id }, body: { messageId } })
    await read(before)
    expect(await unread(ana)).toBe(1)
    await read(mention.id)
    expect(await unread(ana)).toBe(0)
    expect(await rows(ana)).toMatchObject([{ mentions: 1, isRead: true }])
    const later = await note(bia, id, '@Ana, mais uma')
    expect(await rows(ana)).toMatchObject([
      { mentions: 1, text: '@Ana, mais uma', timestamp: later.timestamp, isRead: false },
    ])
  })

  it('is marked as read by itself, one or all; no conversation is', async () => {
    const own = await ticket({ user_id: ana.id, unread_messages: 2, updated_at: new Date() })
    const other = await ticket({ user_id: bia.id })
    await note(bia, other, '@Ana')
    expect(await unread(ana)).toBe(2)
    expect((await markRead(ana, other)).body).toEqual({ count: 1 })
    expect(await unread(ana)).toBe(1)
    expect((await markRead(ana)).body).toEqual({ count: 1 })
    expect((await markRead(ana)).body).toEqual({ count: 0 })
    expect(await unread(ana)).toBe(0)
    expect((await rows(ana)).map(({ ticketId, isRead }) => [ticketId, isRead]).sort()).toEqual(
      [
        [own, true],
        [other, true],
      ].sort(),
    )
    const kept = await call(product(), tickets.get, ana.token, { params: { id: own } })
    expect(kept.body).toMatchObject({ unreadMessages: 2 })
  })

  it('comes in pages, newest first, without a hole or a double', async () => {
    for (let n = 0; n < 45; n++)
      await ticket({ user_id: ana.id, unread_messages: 1, updated_at: new Date(1e12 + (n >> 1)) })
    const first = await list(ana)
    const second = await list(ana, { cursor: first.nextCursor! })
    const ids = [...first.notifications, ...second.notifications].map(({ ticketId }) => ticketId)
    expect([ids.length, new Set(ids).size, second.hasMore]).toEqual([45, 45, false])
    expect(ids).toEqual(ids.toSorted((a, b) => b - a))
    for (const cursor of ['x', btoa('[1]'), btoa(encodeURIComponent('["a",1]'))]) {
      const reply = await call(product(), notifications.list, ana.token, { query: { cursor } })
      expect(reply.status).toBe(400)
    }
  })

  it('is told to the person alone, twenty at once on one ticket without a loss', async () => {
    await product().platform.db.asPlatform((db) =>
      db.updateTable('users').set({ profile: 'admin' }).where('id', '=', stranger.id).execute(),
    )
    const id = await ticket({ user_id: bia.id })
    await Promise.all(Array.from({ length: 20 }, () => note(bia, id, '@Ana @Caio')))
    expect(await rows(ana)).toMatchObject([{ mentions: 20 }])
    const changes = await product().platform.db.read(tenantId, (db) => readChanges(db, 0, 10 ** 9, 100_000))
    const told = changes.filter(({ type }) => type === 'notification:changed').slice(-20)
    for (const { audience } of told) {
      const { kind, ids } = audience as { kind: string; ids: number[] }
      expect([kind, ids.toSorted((a, b) => a - b)]).toEqual(['users', [ana.id, stranger.id]])
    }
  })

  it('goes with the person', async () => {
    const id = await ticket({ user_id: bia.id })
    await note(bia, id, '@Ana')
    await product().platform.db.asPlatform((db) => db.deleteFrom('tickets').where('id', '=', id).execute())
    expect(await rows(ana)).toEqual([])
  })
})
