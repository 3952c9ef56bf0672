import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { tickets } from '#features/tickets/contract.ts'
import { make } from '#test/make.ts'
import { call, withProduct } from '#test/server.ts'
import { messages } from './contract.ts'
import { type MentionRow, notifications } from './notifications-contract.ts'

const product = withProduct()
const m = () => make(product().platform)

type Person = { id: number; name: string; token: string }
type Page = { mentions: MentionRow[]; hasMore: boolean; nextCursor: string | null }
type Mentioned = { mentionedUsers?: unknown; mentionedTeams?: unknown }

let tenantId: number
let queueId: number
let otherQueueId: number
let teamId: number
let ana: Person
let bia: Person
let caio: Person
let lia: Person
let ticketId: number

const enter = async (name: string, queues: number[]): Promise<Person> => {
  const user = await m().user(tenantId, { name, queues })
  return { ...user, token: await m().token(user) }
}

beforeAll(async () => {
  tenantId = await m().tenant()
  queueId = await m().queue(tenantId)
  otherQueueId = await m().queue(tenantId)
  ana = await enter('Ana', [queueId])
  bia = await enter('Bia', [queueId])
  caio = await enter('Caio', [otherQueueId])
  lia = await enter('Lia', [queueId])
  teamId = await m().insert('teams', tenantId, { name: 'Vendas' })
  await product().platform.db.write(tenantId, (db) =>
    db
      .insertInto('team_members')
      .values([ana, bia, caio].map(({ id }) => ({ tenant_id: tenantId, team_id: teamId, user_id: id })))
      .execute(),
  )
})
beforeEach(async () => {
  ticketId = await m().ticket(tenantId, { queue_id: queueId, user_id: bia.id })
})

type Reply = { status: number; body: { error?: string; details?: object } }
const ask = (who: Person, body: object) =>
  call(product(), messages.send, who.token, { params: { ticketId }, body: body as never }) as unknown as Promise<Reply>
const write = (who: Person, mentioned: Mentioned, idFront: string = randomUUID(), body = '@Ana, veja') =>
  ask(who, { idFront, body, isNote: true, ...mentioned })
const note = async (who: Person, mentioned: Mentioned) => {
  const reply = await write(who, mentioned)
  expect(reply.body).toMatchObject({ messages: [{ isNote: true }] })
  return (reply.body as unknown as { messages: { id: string; timestamp: number; data: unknown }[] }).messages[0]!
}
const listed = async (who: Person, cursor?: string) =>
  (await call(product(), notifications.mentions, who.token, { query: cursor ? { cursor } : {} }))
    .body as unknown as Page
// Only those of this test's ticket.
const own = async (who: Person) => (await listed(who)).mentions.filter((row) => row.ticketId === ticketId)
const counts = async (who: Person) => (await call(product(), notifications.unread, who.token, {})).body
const change = (who: Person, id: string, body: object) =>
  call(product(), messages.change, who.token, { params: { id }, body }) as unknown as Promise<Reply>
const bell = async (who: Person) => {
  const { body } = await call(product(), notifications.list, who.token, { query: {} })
  return (
    body as unknown as { notifications: { ticketId: number; mentions: number; text: string }[] }
  ).notifications.find((row) => row.ticketId === ticketId)
}
const move = (queue: number) =>
  product().platform.db.write(tenantId, (db) =>
    db
      .updateTable('tickets')
      .set({ queue_id: queue, user_id: null, status: 'pending' })
      .where('id', '=', ticketId)
      .execute(),
  )

describe('a note', () => {
  it('tells those whom it mentions, by name and by team, each once and its author never', async () => {
    const said = await note(bia, { mentionedUsers: [ana.id, bia.id], mentionedTeams: [teamId] })
    expect(said.data).toEqual({
      mentions: {
        named: [
          { kind: 'user', id: ana.id, name: 'Ana' },
          { kind: 'user', id: bia.id, name: 'Bia' },
          { kind: 'team', id: teamId, name: 'Vendas' },
        ],
        userIds: [ana.id],
      },
    })
    expect(await own(ana)).toMatchObject([
      { messageId: said.id, by: 'Bia', text: '@Ana, veja', timestamp: said.timestamp, isSeen: false },
    ])
    expect([await own(bia), await own(caio), await own(lia)]).toEqual([[], [], []])
    expect(await bell(ana)).toMatchObject({ mentions: 1 })
  })

  it('says nothing to anybody by its text alone', async () => {
    await note(bia, {})
    expect(await own(ana)).toEqual([])
    expect(await bell(ana)).toBeUndefined()
  })

  it('is sent again without mentioning twice, twenty at once', async () => {
    const idFront = randomUUID()
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => write(bia, { mentionedUsers: [ana.id] }, idFront)),
    )
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await own(ana)).toHaveLength(1)
    expect(await bell(ana)).toMatchObject({ mentions: 1 })
  })

  it.each([
    ['who does not see the ticket', () => ({ mentionedUsers: [ana.id, caio.id] })],
    ['who is not there', () => ({ mentionedUsers: [999_999_999] })],
    ['a team that is not there', () => ({ mentionedTeams: [999_999_999] })],
  ])('is refused, and not stored, where it mentions %s', async (_, mentioned) => {
    const reply = await write(bia, mentioned())
    expect([reply.status, reply.body.error]).toEqual([422, 'ERR_MENTION_HIDDEN'])
    expect(await own(ana)).toEqual([])
  })

  it.each([
    ['text', { mentionedUsers: ['Ana'] }],
    ['too many', { mentionedUsers: Array.from({ length: 501 }, (_, n) => n + 1) }],
    ['an object', { mentionedTeams: { id: 1 } }],
  ])('is refused as wrong where the mentioned are %s', async (_, mentioned) => {
    expect((await write(bia, mentioned)).status).toBe(400)
  })

  it('is the only kind of message that mentions', async () => {
    const reply = await ask(bia, { idFront: randomUUID(), body: 'Olá', mentionedUsers: [ana.id] })
    expect([reply.status, Object.keys(reply.body.details ?? {})]).toEqual([400, ['mentionedUsers']])
  })

  it('takes it back from whom it mentions no longer, when it is changed or deleted', async () => {
    const { id } = await note(bia, { mentionedUsers: [ana.id] })
    expect((await change(bia, id, { body: '@Lia, veja', mentionedUsers: [lia.id] })).status).toBe(200)
    expect([await own(ana), await bell(ana)]).toEqual([[], undefined])
    expect(await own(lia)).toMatchObject([{ messageId: id, text: '@Lia, veja' }])
    // An edit without mention fields keeps the mentions of its text.
    expect((await change(bia, id, { body: '@Lia!' })).status).toBe(200)
    expect(await own(lia)).toHaveLength(1)
    expect((await change(bia, id, { body: 'x', mentionedUsers: [caio.id] })).body.error).toBe('ERR_MENTION_HIDDEN')
    expect(await own(lia)).toMatchObject([{ text: '@Lia!' }])
    await call(product(), messages.remove, bia.token, { body: { id } })
    expect([await own(lia), await bell(lia)]).toEqual([[], undefined])
  })

  it('leaves the next one that was not seen behind the bell when it is deleted', async () => {
    const first = await note(bia, { mentionedUsers: [ana.id] })
    await write(bia, { mentionedUsers: [ana.id] }, randomUUID(), 'Outra, @Ana')
    await call(product(), messages.remove, bia.token, { body: { id: first.id } })
    expect(await bell(ana)).toMatchObject({ mentions: 1, text: 'Outra, @Ana' })
  })
})

describe('a mention', () => {
  it('is seen when its note is opened, or read', async () => {
    const before = (await counts(ana)) as unknown as { mentions: number }
    const first = await note(bia, { mentionedUsers: [ana.id] })
    const second = await note(bia, { mentionedUsers: [ana.id] })
    expect(await counts(ana)).toMatchObject({ mentions: before.mentions + 2, hasMentions: true })
    const see = (who: Person) => call(product(), notifications.seeMention, who.token, { params: { id: second.id } })
    expect((await see(lia)).status).toBe(404)
    expect([(await see(ana)).body, (await see(ana)).body]).toEqual([{ isNew: true }, { isNew: false }])
    expect((await own(ana)).map(({ isSeen }) => isSeen)).toEqual([true, false])
    await call(product(), tickets.read, ana.token, { params: { id: ticketId }, body: { messageId: first.id } })
    expect((await own(ana)).map(({ isSeen }) => isSeen)).toEqual([true, true])
    expect(await counts(ana)).toMatchObject({ mentions: before.mentions })
  })

  it('is gone for whoever loses sight of the ticket, and does not count', async () => {
    const before = await counts(ana)
    const { id } = await note(bia, { mentionedUsers: [ana.id] })
    await move(otherQueueId)
    expect([await own(ana), await counts(ana)]).toEqual([[], before])
    const seen = await call(product(), notifications.seeMention, ana.token, { params: { id } })
    expect(seen.status).toBe(404)
    await move(queueId)
    expect(await own(ana)).toMatchObject([{ isSeen: false }])
  })

  it('comes in pages, newest first, without a hole or a double', async () => {
    await product().platform.db.write(tenantId, (db) => db.deleteFrom('mentions').execute())
    const stored = await Promise.all(Array.from({ length: 45 }, () => write(bia, { mentionedUsers: [ana.id] })))
    expect(stored.every(({ status }) => status === 200)).toBe(true)
    const first = await listed(ana)
    const second = await listed(ana, first.nextCursor!)
    const all = [...first.mentions, ...second.mentions]
    expect([all.length, new Set(all.map(({ messageId }) => messageId)).size, second.hasMore]).toEqual([45, 45, false])
    expect(all.map(({ timestamp }) => timestamp)).toEqual(all.map(({ timestamp }) => timestamp).sort((a, b) => b - a))
  })
})

describe('whom a note may mention', () => {
  const offered = async (who: Person, searchParam = '') =>
    call(product(), messages.mentionable, who.token, { params: { ticketId }, query: { searchParam } })

  it('is who sees the ticket, without who asks, and teams with how many of them do', async () => {
    expect((await offered(bia)).body).toEqual({
      users: [
        { id: ana.id, name: 'Ana' },
        { id: lia.id, name: 'Lia' },
      ],
      teams: [{ id: teamId, name: 'Vendas', members: 1 }],
      isCapped: false,
    })
    expect((await offered(bia, 'AN')).body).toMatchObject({ users: [{ name: 'Ana' }], teams: [] })
    expect((await offered(bia, '%')).body).toMatchObject({ users: [], teams: [] })
  })

  it('is not said to who does not see it', async () => {
    expect((await offered(caio)).status).toBe(404)
  })
})
