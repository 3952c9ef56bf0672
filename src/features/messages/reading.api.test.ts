import { beforeAll, describe, expect, it } from 'vitest'
import { tickets } from '#features/tickets/contract.ts'
import { readChanges } from '#server/realtime/bus.ts'
import { make } from '#test/make.ts'
import { call, withProduct } from '#test/server.ts'
import { messages } from './contract.ts'

const product = withProduct()
const m = () => make(product().platform)

type Person = { id: number; token: string }
type Talk = { id: number; said: string[] }

let tenantId: number
let queueId: number
let ana: Person
let bia: Person
let admin: Person
let hidden: Person

const enter = async (input: Parameters<ReturnType<typeof make>['user']>[1]): Promise<Person> => {
  const user = await m().user(tenantId, input)
  return { id: user.id, token: await m().token(user) }
}
const inTenant = <T>(work: Parameters<ReturnType<typeof product>['platform']['db']['write']>[1]) =>
  product().platform.db.write(tenantId, work) as Promise<T>

beforeAll(async () => {
  tenantId = await m().tenant()
  queueId = await m().queue(tenantId)
  ana = await enter({ name: 'Ana', queues: [queueId] })
  bia = await enter({ name: 'Bia', queues: [queueId] })
  admin = await enter({ name: 'Adele', profile: 'admin' })
  hidden = await enter({ name: 'Caio', queues: [await m().queue(tenantId)] })
})

/** Creates a ticket with three unread messages of the customer. */
async function talk(row: Parameters<ReturnType<typeof make>['ticket']>[1] = {}): Promise<Talk> {
  const id = await m().ticket(tenantId, { queue_id: queueId, user_id: ana.id, unread_messages: 3, ...row })
  const said = []
  for (const at of [1, 2, 3]) said.push(await m().message(tenantId, id, { timestamp: new Date(1e12 + at) }))
  return { id, said }
}
const read = async (who: Person, { id, said }: Talk, more: { upTo?: number; isPeek?: boolean } = {}) => {
  const { upTo = 3, ...body } = more
  return call(product(), tickets.read, who.token, { params: { id }, body: { messageId: said[upTo - 1]!, ...body } })
}
const unreadOf = ({ id }: Talk) =>
  inTenant<number>(async (db) => {
    const row = await db.selectFrom('tickets').select('unread_messages').where('id', '=', id).executeTakeFirstOrThrow()
    return row.unread_messages
  })
const positionOf = async (who: Person, { id }: Talk) => {
  const { body } = await call(product(), messages.list, who.token, { params: { ticketId: id } })
  return (body as unknown as { readUpTo: { timestamp: number } | null }).readUpTo?.timestamp ?? null
}

describe('reading a conversation', () => {
  it('lowers the count for its owner only; everybody has an own position', async () => {
    const own = await talk()
    // A first-time reader starts before the first unread message.
    expect(await positionOf(bia, own)).toBe(1e12 + 1)
    expect(await read(bia, own)).toMatchObject({ status: 200, body: { unreadMessages: 3 } })
    expect(await read(admin, own)).toMatchObject({ status: 200, body: { unreadMessages: 3 } })
    expect(await unreadOf(own)).toBe(3)
    expect(await positionOf(bia, own)).toBe(1e12 + 3)
    expect(await positionOf(ana, own)).toBe(1e12 + 1)
    const known = await talk({ unread_messages: 0 })
    expect(await positionOf(bia, known)).toBeNull()
    const marked = await talk({ unread_messages: 1 })
    expect(await positionOf(bia, marked)).toBe(1e12 + 3)
    expect(await read(ana, own)).toMatchObject({ status: 200, body: { unreadMessages: 0 } })
    expect(await unreadOf(own)).toBe(0)
  })

  it('leaves what stands behind the message that was seen, and never goes back', async () => {
    const own = await talk()
    expect(await read(ana, own, { upTo: 2 })).toMatchObject({ body: { unreadMessages: 1 } })
    expect(await read(ana, own, { upTo: 1 })).toMatchObject({ body: { unreadMessages: 1 } })
    expect(await positionOf(ana, own)).toBe(1e12 + 2)
  })

  it('is anybody’s where nobody owns it, and nobody’s who only peeks', async () => {
    const free = await talk({ status: 'pending', user_id: null })
    expect(await read(bia, free, { isPeek: true })).toMatchObject({ body: { unreadMessages: 3 } })
    expect(await positionOf(bia, free)).toBe(1e12 + 1)
    expect(await read(bia, free)).toMatchObject({ body: { unreadMessages: 0 } })
    expect(await positionOf(bia, free)).toBe(1e12 + 3)
  })

  it('is in a group that of a named user', async () => {
    const group = await talk({ is_group: true, user_id: null })
    await inTenant((db) =>
      db
        .insertInto('ticket_group_users')
        .values({ tenant_id: tenantId, ticket_id: group.id, user_id: bia.id })
        .execute(),
    )
    expect(await read(admin, group)).toMatchObject({ body: { unreadMessages: 3 } })
    expect(await read(bia, group)).toMatchObject({ body: { unreadMessages: 0 } })
  })

  it('counts for a restricted owner as for any other, and is refused to whoever does not see the ticket', async () => {
    const own = await talk()
    expect((await read(hidden, own)).status).toBe(404)
    await inTenant((db) => db.updateTable('users').set({ restricted_user: true }).where('id', '=', ana.id).execute())
    product().platform.bus.stale(`actors ${tenantId}:${ana.id}`)
    expect(await read(ana, own)).toMatchObject({ body: { unreadMessages: 0 } })
  })

  it('knows no message but those of the conversation', async () => {
    const own = await talk()
    const other = await talk()
    expect(await read(ana, { ...own, said: other.said })).toMatchObject({
      status: 404,
      body: { error: 'ERR_FETCH_WAPP_MSG' },
    })
    expect((await read(ana, { ...own, said: ['', '', 'x'] })).status).toBe(400)
    expect(await unreadOf(own)).toBe(3)
  })

  it('is still the team’s by command', async () => {
    const own = await talk()
    const set = (who: Person, unreadMessages: number) =>
      call(product(), tickets.update, who.token, { params: { id: own.id }, body: { unreadMessages } })
    expect(await set(bia, 0)).toMatchObject({ status: 200, body: { unreadMessages: 0 } })
    expect(await set(bia, 1)).toMatchObject({ status: 200, body: { unreadMessages: 1 } })
    expect(await read(ana, own)).toMatchObject({ body: { unreadMessages: 0 } })
  })

  it('is not what a colleague’s answer does', async () => {
    const own = await talk()
    const answer = (who: Person) =>
      call(product(), messages.send, who.token, {
        params: { ticketId: own.id },
        body: { idFront: `answer-${who.id}-${own.id}`, body: 'Já vejo', isNote: undefined },
      })
    expect(await answer(bia)).toMatchObject({ status: 200, body: { ticket: { unreadMessages: 3, answered: true } } })
    expect(await answer(ana)).toMatchObject({ status: 200, body: { ticket: { unreadMessages: 0 } } })
  })

  it('is told to the own other tabs, and the lowered count to everybody, once', async () => {
    const own = await talk()
    // Excludes channel reports on earlier replies.
    const told = async () =>
      (await product().platform.db.read(tenantId, (db) => readChanges(db, 0, 10 ** 9, 100_000))).filter(
        ({ channel, type }) => channel === 'ticketList' && type.startsWith('ticket:'),
      )
    const before = (await told()).length
    await Promise.all(Array.from({ length: 20 }, () => read(ana, own)))
    const news = (await told()).slice(before)
    expect(news.map(({ type }) => type).sort()).toEqual(['ticket:delta', 'ticket:read'])
    expect(news.find(({ type }) => type === 'ticket:read')!.audience).toEqual({ kind: 'users', ids: [ana.id] })
  })

  it('is not in the way of two who read a group at once', async () => {
    const group = await talk({ is_group: true, user_id: null })
    await inTenant((db) =>
      db
        .insertInto('ticket_group_users')
        .values([ana, bia].map(({ id }) => ({ tenant_id: tenantId, ticket_id: group.id, user_id: id })))
        .execute(),
    )
    const all = await Promise.all([ana, bia, admin, ana, bia].flatMap((who) => [read(who, group), read(who, group)]))
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await unreadOf(group)).toBe(0)
  })
})
