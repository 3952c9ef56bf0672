import { sql } from 'kysely'
import pg from 'pg'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { bulk } from '#features/bulk/contract.ts'
import { notifications } from '#features/messages/notifications-contract.ts'
import type { BulkAnswer, Undone } from '#kit/bulk.ts'
import type { CallInput } from '#kit/contract.ts'
import { uuidv7 } from '#server/ids.ts'
import { make, type Person } from '#test/make.ts'
import { call, type Reply, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { ticketsBulk } from './bulk-contract.ts'
import { tickets } from './contract.ts'

let shiftMs = 0
const product = withProduct({ now: () => new Date(Date.now() + shiftMs) })
const m = () => make(product().platform)

type Asked = CallInput<typeof ticketsBulk.start>['body']
type Refusal = { error: string; details: Record<string, unknown> }

const start = (who: Person, body: Asked) =>
  call(product(), ticketsBulk.start, who.token, { body }) as Promise<Reply<BulkAnswer & Refusal>>
const undo = (who: Person, id: string | null) =>
  call(product(), bulk.undo, who.token, { params: { id: id! } }) as Promise<Reply<Undone & Refusal>>
const steer = (who: Person, op: 'get' | 'pause' | 'resume' | 'cancel', id: string | null) =>
  call(product(), bulk[op], who.token, { params: { id: id! } }) as Promise<Reply<BulkAnswer & Refusal>>
const update = (who: Person, id: number, body: CallInput<typeof tickets.update>['body']) =>
  call(product(), tickets.update, who.token, { params: { id }, body })

/** Returns every column of tickets with their tags, in the database's precision and the order of `ids`. */
const stored = (tenantId: number, ids: readonly number[]) =>
  product().platform.db.read(tenantId, async (db) => {
    const { rows } = await sql<{ row: Record<string, unknown> & { tags: number[] } }>`
      select to_jsonb(t) || jsonb_build_object('tags', array(select m.tag_id from ticket_tags m where m.ticket_id = t.id order by 1)) as row
      from unnest(${[...ids]}::bigint[]) with ordinality as i (id, n) join tickets t on t.id = i.id order by i.n`.execute(
      db,
    )
    return rows.map(({ row }) => row)
  })
const listed = async (who: Person, query: object) => {
  const reply = await call(product(), tickets.list, who.token, { query })
  return (reply.body as unknown as { tickets: { id: number }[] }).tickets.map(({ id }) => id)
}

let tenantId: number
let queueId: number
let otherQueueId: number
let admin: Person
let ana: Person
let bia: Person

beforeAll(async () => {
  tenantId = await m().tenant()
  queueId = await m().queue(tenantId)
  otherQueueId = await m().queue(tenantId)
  admin = await m().person(tenantId, { profile: 'admin', name: 'Adele' })
  ana = await m().person(tenantId, { name: 'Ana', queues: [queueId] })
  bia = await m().person(tenantId, { name: 'Bia', queues: [queueId, otherQueueId] })
})

const pending = (row: object = {}) => m().ticket(tenantId, { status: 'pending', queue_id: queueId, ...row })
const openOf = (who: Person, row: object = {}) =>
  m().ticket(tenantId, { status: 'open', queue_id: queueId, user_id: who.id, ...row })
const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString()
let numbers = 0
const withNumber = async () => {
  const number = `55119${10_000_000 + ++numbers}`
  return openOf(ana, { contact_id: await m().contact(tenantId, { number }), conversation_key: number })
}
const some = (make: () => Promise<number>, n: number) => Promise.all(Array.from({ length: n }, make))

describe('one action on many tickets', () => {
  it('changes those that may be changed, refuses each of the others for its own reason, and names it', async () => {
    const [a, b] = await some(pending, 2)
    const closed = await m().ticket(tenantId, { status: 'closed', queue_id: queueId, closed_at: new Date() })
    const hidden = await m().ticket(tenantId, { status: 'pending', queue_id: otherQueueId })
    const foreign = await m().ticket(await m().tenant(), { status: 'pending' })
    const { status, body } = await start(ana, { ids: [a!, closed, hidden, b!, foreign, a!], action: 'accept' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'done', action: 'accept', total: 5, done: 2, refusedCount: 3 })
    expect(body.refused).toEqual([
      { id: closed, code: 'ERR_TICKET_TRANSITION', text: 'O atendimento não pode mudar para essa situação agora.' },
      { id: hidden, code: 'ERR_NO_TICKET_FOUND', text: 'Atendimento não encontrado.' },
      { id: foreign, code: 'ERR_NO_TICKET_FOUND', text: 'Atendimento não encontrado.' },
    ])
    const rows = await stored(tenantId, [a!, b!, closed, hidden])
    expect(rows.map((row) => [row['status'], row['user_id']])).toEqual([
      ['open', ana.id],
      ['open', ana.id],
      ['closed', null],
      ['pending', null],
    ])
    expect((await steer(ana, 'get', body.id)).body).toEqual(body)
  })

  it('shows beforehand what would be refused, and changes nothing', async () => {
    const ids = [await openOf(ana), await pending(), await openOf(ana)]
    const before = await stored(tenantId, ids)
    const { body } = await start(ana, { ids, action: 'return', dryRun: true })
    expect(body).toMatchObject({ id: null, status: 'preview', total: 3, done: 2, undoUntil: null })
    expect(body.refused).toEqual([{ id: ids[1], code: 'ERR_TICKET_TRANSITION', text: expect.any(String) }])
    expect(await stored(tenantId, ids)).toEqual(before)
  })

  it('of two closed tickets of one conversation one is taken up again', async () => {
    const connection_id = await m().connection(tenantId)
    const contact_id = await m().contact(tenantId)
    const same = { connection_id, contact_id, queue_id: queueId, status: 'closed', closed_at: new Date() } as const
    const ids = [
      await m().ticket(tenantId, { ...same, conversation_key: '5511987654321' }),
      await m().ticket(tenantId, { ...same, conversation_key: '551187654321' }),
    ]
    const preview = await start(ana, { ids, action: 'reopen', dryRun: true })
    const { body } = await start(ana, { ids, action: 'reopen' })
    expect(body.refused.map(({ id, code }) => [id, code])).toEqual([[ids[1], 'ERR_OTHER_OPEN_TICKET']])
    expect(preview.body.refused).toEqual(body.refused)
  })

  it('means by a filter what the person sees now, in the number that they saw', async () => {
    const tag = await m().tag(tenantId)
    const ids = await some(pending, 3)
    await start(ana, { ids, action: 'tag', args: { tagIds: [tag] } })
    const filter = { tab: 'pending' as const, isGroup: false, tags: [tag] }
    const late = await pending()
    await start(ana, { ids: [late], action: 'tag', args: { tagIds: [tag] } })
    const refused = await start(ana, { filter, expected: 3, action: 'accept' })
    expect([refused.status, refused.body]).toMatchObject([
      409,
      { error: 'ERR_SELECTION_CHANGED', details: { count: 4 } },
    ])
    const preview = await start(ana, { filter, action: 'accept', dryRun: true })
    expect(preview.body.total).toBe(4)
    const done = await start(ana, { filter, expected: 4, action: 'accept' })
    expect(done.body).toMatchObject({ total: 4, done: 4 })
    expect((await stored(tenantId, [...ids, late])).every((row) => row['user_id'] === ana.id)).toBe(true)
  })

  it.each<[string, Asked, number, string]>([
    ['neither tickets nor a filter', { action: 'read' }, 400, 'ids'],
    ['both', { ids: [1], filter: {}, expected: 1, action: 'read' }, 400, 'ids'],
    ['a filter without its number', { filter: { tab: 'open' }, action: 'read' }, 400, 'expected'],
    ['no tags', { ids: [1], action: 'tag' }, 400, 'args.tagIds'],
    ['nowhere to transfer', { ids: [1], action: 'transfer', args: {} }, 400, 'args.queueId'],
    ['what the action does not use', { ids: [1], action: 'read', args: { tagIds: [1] } }, 400, 'args.tagIds'],
    ['1,001 tickets', { ids: Array.from({ length: 1001 }, (_, n) => n + 1), action: 'read' }, 400, 'ids'],
  ])('refuses %s', async (_, body, status, field) => {
    const reply = await start(ana, body)
    expect([reply.status, Object.keys(reply.body.details)]).toEqual([status, [field]])
  })

  it('what would refuse all of them refuses the request: a person, a queue, a tag that is not there', async () => {
    const ids = [await openOf(ana)]
    const refused = [
      await start(ana, { ids, action: 'transfer', args: { userId: 999_999 } }),
      await start(ana, { ids, action: 'transfer', args: { queueId: 999_999 } }),
      await start(ana, { ids, action: 'tag', args: { tagIds: [999_999] } }),
    ]
    expect(refused.map(({ body }) => body.error)).toEqual([
      'ERR_NO_USER_FOUND',
      'ERR_NO_QUEUE_FOUND',
      'ERR_NO_TAG_FOUND',
    ])
  })

  it('the same request twice, or twenty times at once, is one operation', async () => {
    const ids = await some(pending, 3)
    const key = crypto.randomUUID()
    const ask = () =>
      call(product(), ticketsBulk.start, ana.token, {
        body: { ids, action: 'accept' },
        headers: { 'idempotency-key': key },
      })
    const replies = await Promise.all(Array.from({ length: 20 }, ask))
    expect(new Set(replies.map(({ body }) => body.id)).size).toBe(1)
    const logs = await product().platform.db.read(tenantId, (db) =>
      db.selectFrom('ticket_logs').select('type').where('ticket_id', 'in', ids).execute(),
    )
    expect(logs).toHaveLength(3)
  })

  it('tells whoever gets them once, and takes it back with them', async () => {
    const ids = await some(() => openOf(ana), 3)
    const unread = async () => {
      const reply = await call(product(), notifications.unread, bia.token)
      return (reply.body as unknown as { count: number }).count
    }
    const before = await unread()
    const { body } = await start(ana, { ids, action: 'transfer', args: { userId: bia.id } })
    expect(await unread()).toBe(before + 3)
    expect((await undo(ana, body.id)).body).toEqual({ restored: 3, refused: [] })
    expect(await unread()).toBe(before)
  })
})

describe('undo', () => {
  it.each<[string, () => Promise<number>, Omit<Asked, 'ids'>]>([
    ['accept', () => pending({ chat_flow_id: 4 }), { action: 'accept' }],
    ['transfer', () => openOf(ana), { action: 'transfer', args: { queueId: 0 } }],
    ['return', () => openOf(ana), { action: 'return' }],
    ['close', () => openOf(ana, { waiting_since: '2026-01-02T03:04:05.123456Z' }), { action: 'close' }],
    ['close without rating', () => openOf(ana), { action: 'close', args: { unrated: true } }],
    [
      'reopen',
      () =>
        m().ticket(tenantId, {
          status: 'closed',
          queue_id: queueId,
          user_id: ana.id,
          closed_at: '2026-01-02T03:04:05.123456Z',
        }),
      { action: 'reopen' },
    ],
    ['read', () => openOf(ana, { unread_messages: 7 }), { action: 'read' }],
    ['unread', () => openOf(ana), { action: 'unread' }],
    ['tag', () => openOf(ana), { action: 'tag', args: { tagIds: [] } }],
    ['untag', () => openOf(ana), { action: 'untag', args: { tagIds: [] } }],
    ['snooze', () => openOf(ana), { action: 'snooze', args: { until: tomorrow() } }],
    ['waking', () => openOf(ana, { snoozed_until: tomorrow() }), { action: 'snooze', args: { until: null } }],
    ['channel', withNumber, { action: 'channel', args: { whatsappId: 0 } }],
  ])('of %s leaves every field as it was, and the order of the list', async (_, make, asked) => {
    const ids = await some(make, 3)
    const extra = await m().tag(tenantId)
    for (const [at, id] of ids.entries())
      await product().platform.db.asPlatform((db) =>
        db
          .updateTable('tickets')
          .set({ updated_at: `2026-01-0${3 - at}T03:04:05.00000${at}Z` })
          .where('id', '=', id)
          .execute(),
      )
    if (asked.action === 'untag')
      await product().platform.db.asPlatform((db) =>
        db
          .insertInto('ticket_tags')
          .values(ids.map((ticket_id) => ({ tenant_id: tenantId, ticket_id, tag_id: extra })))
          .execute(),
      )
    const args = asked.args && {
      ...asked.args,
      ...(asked.args.tagIds && { tagIds: [extra] }),
      ...(asked.args.queueId === 0 && { queueId: otherQueueId }),
      ...(asked.args.whatsappId === 0 && { whatsappId: await m().connection(tenantId) }),
    }
    const before = await stored(tenantId, ids)
    const order = await listed(admin, { showAll: true })
    const done = await start(ana, { ...asked, ...(args ? { args } : {}), ids })
    expect(done.body).toMatchObject({ done: 3, refused: [] })
    expect(await stored(tenantId, ids)).not.toEqual(before)
    expect((await undo(ana, done.body.id)).body).toEqual({ restored: 3, refused: [] })
    expect(await stored(tenantId, ids)).toEqual(before)
    expect(await listed(admin, { showAll: true })).toEqual(order)
    expect((await steer(ana, 'get', done.body.id)).body).toMatchObject({ status: 'undone', undoUntil: null })
  })

  it('refuses exactly what somebody has changed since, and says who and when', async () => {
    const ids = await some(pending, 4)
    const { body } = await start(ana, { ids, action: 'accept' })
    await update(bia, ids[1]!, { isTransference: true, userId: bia.id })
    // Changed and changed back still counts as changed.
    await update(admin, ids[2]!, { isTransference: true, userId: admin.id })
    await update(ana, ids[2]!, { isTransference: true, userId: ana.id })
    const { body: undone } = await undo(ana, body.id)
    expect(undone).toMatchObject({
      restored: 2,
      refused: [
        { id: ids[1], code: 'ERR_CHANGED_SINCE', by: 'Bia' },
        { id: ids[2], code: 'ERR_CHANGED_SINCE', by: 'Ana' },
      ],
    })
    expect(undone.refused.every(({ at }) => at !== null && Math.abs(Date.parse(at) - Date.now()) < 60_000)).toBe(true)
    expect((await stored(tenantId, ids)).map((row) => row['user_id'])).toEqual([null, bia.id, ana.id, null])
  })

  it('of an operation undone since leaves the way free to undo the one before', async () => {
    const ids = await some(pending, 2)
    const first = await start(ana, { ids, action: 'accept' })
    const second = await start(ana, { ids, action: 'close' })
    expect((await undo(ana, first.body.id)).body.restored).toBe(0)
    expect((await undo(ana, second.body.id)).body.restored).toBe(2)
    const third = await start(ana, { ids, action: 'unread' })
    await undo(ana, third.body.id)
    expect((await stored(tenantId, ids)).map((row) => row['status'])).toEqual(['open', 'open'])
    expect((await undo(ana, first.body.id)).body.error).toBe('ERR_UNDO_EXPIRED')
  })

  it('a message that came since keeps its place, and what is unread', async () => {
    const id = await openOf(ana, { unread_messages: 2 })
    const { body } = await start(ana, { ids: [id], action: 'read' })
    const at = new Date(Date.now() + 1000)
    await product().platform.db.asPlatform((db) =>
      db
        .updateTable('tickets')
        .set({ unread_messages: 1, last_message_at: at, updated_at: at })
        .where('id', '=', id)
        .execute(),
    )
    expect((await undo(ana, body.id)).body).toEqual({ restored: 1, refused: [] })
    const [row] = await stored(tenantId, [id])
    expect([row!['unread_messages'], Date.parse(row!['updated_at'] as string)]).toEqual([1, at.getTime()])
  })

  it('one whose customer has begun anew stays closed, and says why', async () => {
    const connection_id = await m().connection(tenantId)
    const contact_id = await m().contact(tenantId)
    const same = { connection_id, contact_id, conversation_key: 'rita', queue_id: queueId }
    const ids = [await openOf(ana, same), await openOf(ana)]
    const { body } = await start(ana, { ids, action: 'close' })
    await m().ticket(tenantId, { ...same, status: 'pending' })
    const { body: undone } = await undo(ana, body.id)
    expect(undone).toMatchObject({ restored: 1, refused: [{ id: ids[0], code: 'ERR_OTHER_OPEN_TICKET', by: null }] })
  })

  it('gives nothing back to who has left', async () => {
    const gone = await m().person(tenantId, { queues: [queueId] })
    const id = await openOf(gone)
    const { body } = await start(admin, { ids: [id], action: 'return' })
    await product().platform.db.asPlatform((db) =>
      db.updateTable('users').set({ is_active: false }).where('id', '=', gone.id).execute(),
    )
    expect((await undo(admin, body.id)).body.refused).toMatchObject([{ id, code: 'ERR_CHANGED_SINCE' }])
    expect((await stored(tenantId, [id]))[0]).toMatchObject({ status: 'pending', user_id: null })
  })

  it('is for its author and admins, once, and within its time', async () => {
    const ids = await some(pending, 2)
    const late = await start(ana, { ids: [ids[0]!], action: 'accept' })
    const { body } = await start(ana, { ids: [ids[1]!], action: 'accept' })
    const stranger = await m().person(await m().tenant(), { profile: 'admin' })
    for (const who of [bia, stranger]) {
      for (const op of ['get', 'pause', 'resume', 'cancel'] as const)
        expect((await steer(who, op, body.id)).body.error).toBe('ERR_NO_BULK_FOUND')
      expect((await undo(who, body.id)).body.error).toBe('ERR_NO_BULK_FOUND')
    }
    const both = await Promise.all([undo(admin, body.id), undo(ana, body.id)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    expect((await undo(ana, body.id)).body.error).toBe('ERR_UNDO_EXPIRED')
    shiftMs = 10_001
    expect((await undo(ana, late.body.id)).body.error).toBe('ERR_UNDO_EXPIRED')
    shiftMs = 0
    expect((await undo(ana, uuidv7())).status).toBe(404)
    expect((await steer(ana, 'pause', body.id)).body.error).toBe('ERR_BULK_STATE')
  })
})

/** Creates pending tickets, each of a separate conversation, newest first. */
async function many(n: number): Promise<number[]> {
  const contactId = await m().contact(tenantId)
  const connectionId = await m().connection(tenantId)
  const { rows } = await product().platform.db.asPlatform((db) =>
    sql<{ id: number }>`
      insert into tickets (tenant_id, status, queue_id, connection_id, contact_id, conversation_key, channel, last_message_at, created_at, updated_at)
      select ${tenantId}, 'pending', ${queueId}, ${connectionId}, ${contactId}, 'k' || n, 'lab', now(), now(), now() - n * interval '1 second'
      from generate_series(1, ${n}) n returning id`.execute(db),
  )
  return rows.map(({ id }) => id)
}

const reaches = async (who: Person, id: string | null, status: BulkAnswer['status']): Promise<BulkAnswer> => {
  await until(async () => (await steer(who, 'get', id)).body.status === status)
  return (await steer(who, 'get', id)).body
}

describe('more than two hundred', () => {
  it('go on by themselves, a thousand of them, and back', async () => {
    const ids = await many(1000)
    const before = await stored(tenantId, ids)
    const { body } = await start(ana, { ids, action: 'accept' })
    expect(body).toMatchObject({ status: 'running', total: 1000, done: 0, undoUntil: null })
    const done = await reaches(ana, body.id, 'done')
    expect(done).toMatchObject({ done: 1000, refusedCount: 0 })
    const minutes = (Date.parse(done.undoUntil!) - Date.now()) / 60_000
    expect([minutes > 1.5, minutes < 2.1]).toEqual([true, true])
    expect((await undo(ana, body.id)).body).toEqual({ restored: 1000, refused: [] })
    expect(await stored(tenantId, ids)).toEqual(before)
  }, 60_000)

  it('take a handful of statements for each block, however many tickets it has', async () => {
    const ids = await many(200)
    const statements = await statementsOf(() => start(ana, { ids, action: 'accept' }))
    const few = await statementsOf(() => start(ana, { ids: ids.slice(0, 2), action: 'close' }))
    expect(few.length).toBeGreaterThan(8)
    // Allows for statements of background tasks, which run every few seconds.
    expect(statements.length).toBeLessThan(few.length + 20)
  })

  it('wait when they are paused, go on, and end where they are when they are stopped', async () => {
    const ids = await many(400)
    const { body } = await start(ana, { ids, action: 'accept' })
    const paused = await steer(ana, 'pause', body.id)
    expect(paused.body.status).toBe('paused')
    const { done } = (await steer(ana, 'get', body.id)).body
    expect(done).toBeLessThan(400)
    expect((await steer(ana, 'pause', body.id)).body.error).toBe('ERR_BULK_STATE')
    expect((await steer(ana, 'resume', body.id)).body.status).toBe('running')
    expect((await reaches(ana, body.id, 'done')).done).toBe(400)
    const second = await start(ana, { ids, action: 'close' })
    const stopped = await steer(admin, 'cancel', second.body.id)
    expect(stopped.body.status).toBe('canceled')
    const closed = (await stored(tenantId, ids)).filter((row) => row['status'] === 'closed').length
    expect(stopped.body.done).toBe(closed)
    expect((await steer(ana, 'resume', second.body.id)).body.error).toBe('ERR_BULK_STATE')
    if (closed > 0) expect((await undo(ana, second.body.id)).body.restored).toBe(closed)
  }, 60_000)

  it('end when whoever began them may no longer', async () => {
    const leaving = await m().person(tenantId, { queues: [queueId] })
    const ids = await many(201)
    const { body } = await start(leaving, { ids, action: 'accept' })
    await steer(admin, 'pause', body.id)
    await product().platform.db.asPlatform((db) =>
      db.updateTable('users').set({ is_active: false }).where('id', '=', leaving.id).execute(),
    )
    product().platform.bus.stale(`actors ${tenantId}:${leaving.id}`)
    await steer(admin, 'resume', body.id)
    expect((await reaches(admin, body.id, 'canceled')).total).toBe(201)
  })
})

/** Returns the statements that the application's role runs during `work`. */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const query = vi.spyOn(pg.Client.prototype, 'query')
  await work()
  const asked = query.mock.calls.flatMap(([what], n) => {
    const { user, connectionParameters } = query.mock.contexts[n] as unknown as {
      user: string
      connectionParameters: { application_name: string }
    }
    return user === 'guiche_app' && connectionParameters.application_name === 'guiche'
      ? [typeof what === 'string' ? what : (what as unknown as { text: string }).text]
      : []
  })
  query.mockRestore()
  return asked
}
