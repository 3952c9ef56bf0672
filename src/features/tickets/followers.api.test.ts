import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type NotificationRow, notifications } from '#features/messages/notifications-contract.ts'
import { make } from '#test/make.ts'
import { call, withProduct } from '#test/server.ts'
import { tickets } from './contract.ts'

const product = withProduct()
const m = () => make(product().platform)

type Person = { id: number; name: string; token: string }

let tenantId: number
let queueId: number
let otherQueueId: number
let ana: Person
let bia: Person
let ticketId: number

const enter = async (name: string): Promise<Person> => {
  const user = await m().user(tenantId, { name, queues: [queueId] })
  return { ...user, token: await m().token(user) }
}
beforeAll(async () => {
  tenantId = await m().tenant()
  queueId = await m().queue(tenantId)
  otherQueueId = await m().queue(tenantId)
  ana = await enter('Ana')
  bia = await enter('Bia')
})
beforeEach(async () => {
  ticketId = await m().ticket(tenantId, { queue_id: queueId, user_id: bia.id, status: 'open' })
})

const follow = (who: Person, id = ticketId) => call(product(), tickets.follow, who.token, { params: { id } })
const unfollow = (who: Person) => call(product(), tickets.unfollow, who.token, { params: { id: ticketId } })
const get = async (who: Person) =>
  (await call(product(), tickets.get, who.token, { params: { id: ticketId } })).body as unknown as {
    followers: object[]
  }
const bell = async (who: Person) => {
  const { body } = await call(product(), notifications.list, who.token, { query: {} })
  return (body as unknown as { notifications: NotificationRow[] }).notifications.find(
    (row) => row.ticketId === ticketId,
  )
}
const followedBy = async (who: Person) => {
  const { body } = await call(product(), notifications.unread, who.token, {})
  return (body as unknown as { followed: { id: number; status: string }[] }).followed.find(({ id }) => id === ticketId)
}
const write = (change: object) =>
  product().platform.db.write(tenantId, (db) =>
    db.updateTable('tickets').set(change).where('id', '=', ticketId).execute(),
  )
// The customer writes, after everything before.
const says = () => write({ last_message_received_at: new Date(Date.now() + 60_000), last_message: 'Oi?' })
const move = (who: Person, body: object) =>
  call(product(), tickets.update, who.token, { params: { id: ticketId }, body: body })
const read = (who: Person) => call(product(), notifications.read, who.token, { body: { ticketId } })

describe('a ticket that somebody follows', () => {
  it('says who follows it, twenty times asked once', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => follow(ana)))
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
    expect((await get(bia)).followers).toEqual([{ id: ana.id, name: 'Ana' }])
    expect(await followedBy(ana)).toEqual({ id: ticketId, status: 'open' })
    expect(await followedBy(bia)).toBeUndefined()
    expect((await unfollow(ana)).body).toMatchObject({ followers: [] })
    expect((await unfollow(ana)).status).toBe(200)
    expect(await followedBy(ana)).toBeUndefined()
  })

  it('tells of the customer’s messages, and of what a colleague makes of it, until they are read', async () => {
    await follow(ana)
    expect(await bell(ana)).toBeUndefined()
    await says()
    expect(await bell(ana)).toMatchObject({ followed: 'message', text: 'Oi?', mentions: 0, answers: 0, isRead: false })
    expect(await bell(bia)).toBeUndefined()
    await write({ last_message_received_at: null })
    await move(bia, { status: 'closed' })
    expect(await bell(ana)).toMatchObject({ followed: 'closed', isRead: false })
    await read(ana)
    expect(await bell(ana)).toMatchObject({ followed: 'closed', isRead: true })
  })

  it('tells nothing of what the person does, nor of their own ticket', async () => {
    await follow(ana)
    await write({ user_id: null, status: 'pending' })
    await move(ana, { status: 'open', userId: ana.id })
    await says()
    expect(await bell(ana)).toBeUndefined()
  })

  it('is followed no longer by who loses sight of it', async () => {
    await follow(ana)
    await says()
    await write({ queue_id: otherQueueId })
    expect([await bell(ana), await followedBy(ana)]).toEqual([undefined, undefined])
    expect((await get(bia)).followers).toEqual([])
  })

  it('is none that the person does not see', async () => {
    const hidden = await m().ticket(tenantId, { queue_id: otherQueueId, user_id: bia.id })
    expect((await follow(ana, hidden)).status).toBe(404)
  })

  it('is one of two hundred at most', async () => {
    const lia = await enter('Lia')
    const contactId = await m().contact(tenantId)
    const ids = await Promise.all(
      Array.from({ length: 200 }, () =>
        m().ticket(tenantId, { queue_id: queueId, contact_id: contactId, status: 'closed' }),
      ),
    )
    await product().platform.db.write(tenantId, async (db) => {
      await db.updateTable('tickets').set({ status: 'closed', user_id: lia.id }).where('id', 'in', ids).execute()
      await db
        .insertInto('ticket_followers')
        .values(ids.map((id) => ({ tenant_id: tenantId, ticket_id: id, user_id: lia.id, created_at: new Date() })))
        .execute()
    })
    const refused = await follow(lia)
    expect(refused).toMatchObject({ status: 409, body: { error: 'ERR_FOLLOW_LIMIT' } })
    expect(await followedBy(lia)).toBeUndefined()
  })
})
