import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { lab } from '#features/lab/contract.ts'
import { messages } from '#features/messages/contract.ts'
import { closeQuiet, ingestIdle, receive } from '#features/messages/server/index.ts'
import { tickets } from '#features/tickets/contract.ts'
import { make } from '#test/make.ts'
import { textEvent } from '#test/peers/channel.ts'
import { call, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { type EvaluationRow, evaluations, type RatingTexts, ratings } from './contract.ts'
import { expireEvaluations } from './server/index.ts'

const MINUTE = 60_000
let later = 0
let crashes = 0
const product = withProduct({
  now: () => new Date(Date.now() + later),
  checkpoint: (name) => {
    if (name !== 'before ingest commit' || crashes === 0) return
    crashes--
    throw new Error('the process ends here')
  },
})
let owner: pg.Client
beforeAll(async () => {
  owner = new pg.Client({ connectionString: product().ownerUrl })
  await owner.connect()
})
afterAll(() => owner.end())
const QUESTION = 'Avalie este atendimento:\n0 - Ruim\n1 - Regular\n2 - Bom\n3 - Muito Bom\n4 - Excelente\n5 - Incrível'
const THANKS = 'Obrigado pela sua avaliação!'
const ERROR = 'Não entendi. Responda com um número de 0 a 5.'
const OVER = 'Tudo bem, encerramos por aqui. Obrigado!'

/** A company that asks for ratings, with a phone of the lab whose owner writes to it. */
async function company(texts: Partial<RatingTexts> = {}) {
  later = 0
  const { platform } = product()
  const m = make(platform)
  const tenantId = await m.tenant()
  const queueId = await m.queue(tenantId, { queue: 'Vendas' })
  const otherQueueId = await m.queue(tenantId, { queue: 'Financeiro' })
  const admin = await m.user(tenantId, { profile: 'admin' })
  const ana = await m.user(tenantId, { name: 'Ana Lima', queues: [queueId] })
  const lead = await m.user(tenantId, { profile: 'super' })
  const token = { admin: await m.token(admin), ana: await m.token(ana), lead: await m.token(lead) }
  const configure = (body: Partial<RatingTexts>) =>
    call(product(), ratings.setTexts, token.admin, { params: { id: tenantId }, body })
  await configure({ ratingStoreUse: 'enabled', ...texts })
  const made = await call(product(), lab.create, token.admin, {
    body: { name: 'Marlene Dias', number: '(19) 99812-1001' },
  })
  const phone = made.body as { id: number; number: string; connectionId: number }

  const say = async (body: string) => {
    await call(product(), lab.send, token.admin, {
      params: { id: phone.id },
      body: { id: randomUUID(), body } as never,
    })
    await ingestIdle(platform)
  }
  const all = () => platform.db.read(tenantId, (db) => db.selectFrom('tickets').selectAll().orderBy('id').execute())
  const rows = () =>
    platform.db.read(tenantId, (db) => db.selectFrom('ticket_evaluations').selectAll().orderBy('id').execute())
  const stored = () =>
    platform.db.read(tenantId, (db) =>
      db
        .selectFrom('messages')
        .select(['body', 'send_type', 'from_me', 'ticket_id', 'user_id'])
        .orderBy('timestamp')
        .orderBy('seq')
        .execute(),
    )
  /** What the phone shows of ours, the oldest first. */
  const heard = async () => {
    const reply = await call(product(), lab.messages, token.admin, { params: { id: phone.id } })
    return reply.body.messages.filter((one) => !one.fromPhone).map((one) => one.body)
  }
  const change = (id: number, body: object, by = token.ana) =>
    call(product(), tickets.update, by, { params: { id }, body })
  /** A ticket of Ana's in which the customer has written. */
  async function talking(words = 'Oi'): Promise<number> {
    await say(words)
    const { id } = (await all()).at(-1)!
    await change(id, { queueId }, token.admin)
    await change(id, { status: 'open', userId: ana.id, unreadMessages: 0 })
    return id
  }
  const resolve = async (id: number) => expect((await change(id, { status: 'closed' })).status).toBe(200)
  /** The same, resolved, and the question is on the phone. */
  async function asked(): Promise<number> {
    const id = await talking()
    const before = (await heard()).length
    await resolve(id)
    await until(async () => (await heard()).length > before)
    return id
  }
  const jobsDone = () =>
    until(async () => {
      const { rowCount } = await owner.query(
        `select from graphile_worker.jobs where task_identifier in ('messages:ask', 'messages:send')`,
      )
      return rowCount === 0
    })
  const list = async (query: object = {}, by = token.lead) =>
    (await call(product(), evaluations.list, by, { query })).body
  return {
    m,
    platform,
    tenantId,
    phone,
    token,
    ana,
    queueId,
    otherQueueId,
    configure,
    say,
    all,
    rows,
    stored,
    heard,
    change,
    talking,
    resolve,
    asked,
    jobsDone,
    list,
  }
}

describe('a customer whose ticket is resolved', () => {
  it('is asked once, by the product itself, and the ticket is closed all the same', async () => {
    const { asked, heard, rows, stored, all, ana, queueId } = await company()
    const id = await asked()
    expect(await heard()).toEqual([QUESTION])
    expect((await stored()).at(-1)).toMatchObject({
      body: QUESTION,
      send_type: 'evaluation',
      user_id: null,
      ticket_id: id,
    })
    expect(await all()).toMatchObject([{ status: 'closed', unread_messages: 0, waiting_since: null }])
    const [row] = await rows()
    expect(row).toMatchObject({ ticket_id: id, user_id: ana.id, queue_id: queueId, status: 'asked', evaluation: null })
    expect(row!.expires_at.getTime() - row!.asked_at.getTime()).toBe(10 * MINUTE)
  })

  it('is asked once however often the job runs, and anew after every closing', async () => {
    const { asked, resolve, change, heard, rows, platform, tenantId, jobsDone } = await company()
    const id = await asked()
    const again = () =>
      platform.db.write(tenantId, async (db) => {
        await sql`select app.add_job('messages:ask', ${JSON.stringify({ ticketId: id, tenantId })}::json)`.execute(db)
      })
    await Promise.all([again(), again(), again()])
    await jobsDone()
    expect(await heard()).toEqual([QUESTION])
    await change(id, { status: 'open' })
    await resolve(id)
    await until(async () => (await heard()).length === 2)
    expect((await rows()).map((row) => row.status)).toEqual(['left', 'asked'])
  })

  it('is thanked for a rating, which opens nothing, counts as unread nowhere and stands in the closed ticket', async () => {
    const { asked, say, heard, rows, stored, all, token } = await company()
    const id = await asked()
    await say('Nota 5!')
    await until(async () => (await heard()).length === 2)
    expect((await heard()).at(-1)).toBe(THANKS)
    expect(await rows()).toMatchObject([
      { status: 'answered', evaluation: 5, attempts: 0, answered_at: expect.any(Date) },
    ])
    expect(await all()).toMatchObject([
      {
        id,
        status: 'closed',
        unread_messages: 0,
        waiting_since: null,
        last_message: THANKS,
        closed_at: expect.any(Date),
      },
    ])
    expect((await stored()).slice(-2).map((row) => [row.body, row.ticket_id, row.send_type])).toEqual([
      ['Nota 5!', id, 'chat'],
      [THANKS, id, 'evaluation'],
    ])
    const thread = await call(product(), messages.list, token.ana, { params: { ticketId: id } })
    expect(thread.body.messages.map((one) => one.body)).toEqual(['Oi', QUESTION, 'Nota 5!', THANKS])
    expect((await call(product(), tickets.get, token.ana, { params: { id } })).body).toMatchObject({ rating: 5 })
  })

  it('gets the rating’s own answer where it has one, and nothing where there are no words', async () => {
    const { asked, say, heard, rows, token, configure, jobsDone } = await company()
    const six = ['Péssimo', 'Ruim', 'Médio', 'Bom', 'Ótimo', 'Perfeito'].map((label, rating) => ({
      rating,
      label,
      message: rating === 0 ? 'Sentimos muito, {{firstName}}.' : '',
    }))
    await call(product(), ratings.set, token.admin, { body: six as never })
    await configure({ ratingStore: '' })
    await asked()
    expect((await heard()).at(-1)).toContain('\n0 - Péssimo\n')
    await say('péssimo')
    await until(async () => (await heard()).length === 2)
    expect((await heard()).at(-1)).toBe('Sentimos muito, Marlene.')
    await say('4')
    await jobsDone()
    expect(await heard()).toHaveLength(2)
    expect(await rows()).toMatchObject([{ evaluation: 4 }])
  })

  it('is told twice that it is no rating, and the third time that it is over; then a word opens a ticket', async () => {
    const { asked, say, heard, rows, all } = await company()
    const id = await asked()
    for (const [word, reply] of [
      ['7', ERROR],
      ['ótimo', ERROR],
      ['👍', OVER],
    ] as const) {
      const before = (await heard()).length
      await say(word)
      await until(async () => (await heard()).length > before)
      expect((await heard()).at(-1)).toBe(reply)
    }
    expect(await rows()).toMatchObject([{ status: 'invalid', attempts: 3, evaluation: null }])
    expect(await all()).toHaveLength(1)
    await say('5')
    expect(await all()).toMatchObject([
      { id, status: 'closed' },
      { status: 'pending', unread_messages: 1 },
    ])
  })

  it('is heard when it is about something else: that opens a ticket, and the question is over', async () => {
    const { asked, say, heard, rows, all, stored } = await company()
    const id = await asked()
    await say('Esqueci de perguntar: vocês abrem no sábado?')
    await say('5')
    expect(await all()).toMatchObject([
      { id, status: 'closed' },
      { status: 'pending', unread_messages: 2 },
    ])
    expect(await rows()).toMatchObject([{ status: 'left', evaluation: null, attempts: 0 }])
    expect((await stored()).filter((row) => row.ticket_id !== id).map((row) => row.body)).toEqual([
      'Esqueci de perguntar: vocês abrem no sábado?',
      '5',
    ])
    expect(await heard()).toEqual([QUESTION])
  })

  it('may send a picture, which is no answer whatever stands below it', async () => {
    const { asked, phone, platform, tenantId, all, rows } = await company()
    await asked()
    const event = textEvent({ from: phone.number, body: '5' })
    await receive(platform, { tenantId, connectionId: phone.connectionId }, [
      { ...event, message: { ...event.message, type: 'image' } },
    ])
    await ingestIdle(platform)
    expect((await all()).map((ticket) => ticket.status)).toEqual(['closed', 'pending'])
    expect(await rows()).toMatchObject([{ status: 'left' }])
  })

  it('may correct the rating within the time; thanks for the thanks open a ticket', async () => {
    const { asked, say, rows, all, heard } = await company()
    await asked()
    await say('0')
    await say('5')
    await say('5')
    expect(await rows()).toMatchObject([{ status: 'answered', evaluation: 5 }])
    expect(await all()).toHaveLength(1)
    await until(async () => (await heard()).length === 3)
    expect(await heard()).toEqual([QUESTION, THANKS, THANKS])
    await say('Muito obrigada!')
    expect((await all()).map((ticket) => ticket.status)).toEqual(['closed', 'pending'])
    expect(await rows()).toMatchObject([{ status: 'answered', evaluation: 5 }])
  })
})

describe('the time', () => {
  it('ends an evaluation in silence; a rating that comes too late opens a ticket as usual', async () => {
    const { asked, say, rows, all, heard, platform, jobsDone } = await company({ ratingStoreTime: MINUTE })
    await asked()
    await expireEvaluations(platform)
    expect(await rows()).toMatchObject([{ status: 'asked' }])
    later = MINUTE
    await Promise.all([expireEvaluations(platform), expireEvaluations(platform)])
    expect(await rows()).toMatchObject([{ status: 'expired', evaluation: null }])
    await jobsDone()
    expect(await heard()).toEqual([QUESTION])
    await say('5')
    expect((await all()).map((ticket) => ticket.status)).toEqual(['closed', 'pending'])
    expect(await rows()).toMatchObject([{ status: 'expired', evaluation: null }])
  })

  it('is over for an answer that comes before the timer has noticed', async () => {
    const { asked, say, rows, all } = await company({ ratingStoreTime: MINUTE })
    await asked()
    later = MINUTE + 1000
    await say('5')
    expect((await all()).map((ticket) => ticket.status)).toEqual(['closed', 'pending'])
    expect(await rows()).toMatchObject([{ status: 'expired', evaluation: null }])
  })

  it('and an answer written at its very end meet: the rating counts or its word opens a ticket, never both or neither', async () => {
    const { asked, phone, rows, all, platform, tenantId } = await company({ ratingStoreTime: MINUTE })
    const set = (table: 'tickets' | 'ticket_evaluations', id: number, row: object) =>
      platform.db.asPlatform((db) =>
        db
          .updateTable(table)
          .set(row)
          .where(table === 'tickets' ? 'id' : 'ticket_id', '=', id)
          .execute(),
      )
    for (let round = 0; round < 6; round++) {
      const id = await asked()
      // Due by the timer, and written a moment before by the customer's clock.
      const end = Date.now()
      await set('ticket_evaluations', id, { expires_at: new Date(end) })
      await receive(platform, { tenantId, connectionId: phone.connectionId }, [
        textEvent({ from: phone.number, body: '4', at: end - 1 }),
      ])
      await Promise.all([expireEvaluations(platform), ingestIdle(platform)])
      const row = (await rows()).at(-1)!
      const opened = (await all()).filter((ticket) => ticket.status !== 'closed')
      expect([
        ['answered', 4, 0],
        ['expired', null, 1],
      ]).toContainEqual([row.status, row.evaluation, opened.length])
      for (const ticket of opened) await set('tickets', ticket.id, { status: 'closed' })
    }
  })

  it('ends many at once, in batches', async () => {
    const { m, tenantId, platform, rows, phone } = await company()
    const contactId = await m.contact(tenantId)
    const old = new Date(Date.now() - 3_600_000)
    for (let n = 0; n < 120; n++) {
      const ticketId = await m.ticket(tenantId, {
        contact_id: contactId,
        connection_id: phone.connectionId,
        status: 'closed',
        closed_at: old,
      })
      await m.insert('ticket_evaluations', tenantId, {
        ticket_id: ticketId,
        contact_id: contactId,
        connection_id: phone.connectionId,
        conversation_key: `c${n}`,
        closed_at: old,
        asked_at: old,
        expires_at: old,
      })
    }
    await expireEvaluations(platform)
    expect(new Set((await rows()).map((row) => row.status))).toEqual(new Set(['expired']))
  })
})

describe('races', () => {
  it('of two answers in one batch store the last, thank once and open nothing', async () => {
    const { asked, phone, platform, tenantId, rows, all, heard } = await company()
    const id = await asked()
    const words = ['3', '4'].map((body, n) => textEvent({ from: phone.number, body, at: Date.now() + n }))
    await receive(platform, { tenantId, connectionId: phone.connectionId }, words)
    await receive(platform, { tenantId, connectionId: phone.connectionId }, words)
    await ingestIdle(platform)
    expect(await rows()).toMatchObject([{ status: 'answered', evaluation: 4 }])
    expect(await all()).toMatchObject([{ id, status: 'closed' }])
    await until(async () => (await heard()).length === 2)
  })

  it('of a process that ends over an answer leave it as it was, and then it is taken once', async () => {
    const { asked, say, rows, stored, heard } = await company()
    await asked()
    crashes = 1
    await say('5')
    await until(async () => (await rows())[0]!.status === 'answered')
    expect((await stored()).filter((row) => row.body === '5')).toHaveLength(1)
    await until(async () => (await heard()).length === 2)
  })

  it('of a rating and a new matter in one batch keep both: the one in the closed ticket, the other in a new one', async () => {
    const { asked, phone, platform, tenantId, rows, stored, all } = await company()
    const id = await asked()
    const words = ['5', 'E quanto custa o frete?', '2'].map((body, n) =>
      textEvent({ from: phone.number, body, at: Date.now() + n }),
    )
    await receive(platform, { tenantId, connectionId: phone.connectionId }, words)
    await ingestIdle(platform)
    expect(await rows()).toMatchObject([{ status: 'answered', evaluation: 5 }])
    const opened = (await all())[1]!
    expect(opened).toMatchObject({ status: 'pending', unread_messages: 2 })
    const words5 = (await stored()).filter((row) => ['5', '2', 'E quanto custa o frete?'].includes(row.body))
    expect(words5.map((row) => row.ticket_id)).toEqual([id, opened.id, opened.id])
  })

  it('of a ticket that was opened again: what the customer writes is for whoever attends', async () => {
    const { asked, change, say, rows, all } = await company()
    const id = await asked()
    await change(id, { status: 'open' })
    await say('5')
    expect(await all()).toMatchObject([{ id, status: 'open', unread_messages: 1 }])
    expect(await rows()).toMatchObject([{ status: 'asked', evaluation: null }])
  })

  it('of a question and a reopening: nobody is asked about a ticket that is open again', async () => {
    const { talking, platform, tenantId, rows, heard, change, jobsDone } = await company({ ratingStoreUse: 'disabled' })
    const id = await talking()
    await change(id, { status: 'closed' })
    await change(id, { status: 'open' })
    await platform.db.asPlatform((db) =>
      sql`update settings set value = 'enabled' where tenant_id = ${tenantId} and key = 'ratingStoreUse'`.execute(db),
    )
    platform.settings.drop(String(tenantId))
    await platform.db.write(tenantId, (db) =>
      sql`select app.add_job('messages:ask', ${JSON.stringify({ ticketId: id, tenantId })}::json)`.execute(db),
    )
    await jobsDone()
    expect([await rows(), await heard()]).toEqual([[], []])
  })
})

describe('nobody is asked', () => {
  type Scene = Awaited<ReturnType<typeof company>>
  const cases: [string, (scene: Scene) => Promise<void>][] = [
    [
      'where the company does not want it',
      async ({ configure, talking, resolve }) => {
        await configure({ ratingStoreUse: 'disabled' })
        await resolve(await talking())
      },
    ],
    [
      'when the ticket is closed without a rating',
      async ({ talking, token }) => {
        const reply = await call(product(), tickets.force, token.ana, {
          params: { id: await talking() },
          body: { status: 'closed' },
        })
        expect(reply.status).toBe(200)
      },
    ],
    [
      'in groups',
      async ({ talking, platform, tenantId, token, change }) => {
        const id = await talking()
        await platform.db.write(tenantId, (db) =>
          db.updateTable('tickets').set({ is_group: true }).where('id', '=', id).execute(),
        )
        expect((await change(id, { status: 'closed' }, token.admin)).status).toBe(200)
      },
    ],
    [
      'who never wrote on this channel',
      async ({ talking, resolve, platform, tenantId }) => {
        const id = await talking()
        await platform.db.write(tenantId, (db) =>
          db.updateTable('tickets').set({ last_message_received_at: null }).where('id', '=', id).execute(),
        )
        await resolve(id)
      },
    ],
    [
      'who was blocked',
      async ({ talking, resolve, platform, tenantId }) => {
        const id = await talking()
        await platform.db.write(tenantId, (db) => db.updateTable('contacts').set({ blocked: true }).execute())
        await resolve(id)
      },
    ],
    [
      'about an attendance that had nobody',
      async ({ say, all, change, token }) => {
        await say('Oi')
        expect((await change((await all())[0]!.id, { status: 'closed' }, token.admin)).status).toBe(200)
      },
    ],
    [
      'when a quiet conversation closes by itself',
      async ({ talking, platform, tenantId }) => {
        const id = await talking()
        const old = new Date(Date.now() - 172_800_000)
        await platform.db.write(tenantId, (db) =>
          db.updateTable('tickets').set({ last_message_at: old, waiting_since: null }).where('id', '=', id).execute(),
        )
        await platform.db.asPlatform((db) =>
          db.insertInto('settings').values({ tenant_id: tenantId, key: 'autoClose', value: 'enabled' }).execute(),
        )
        platform.settings.drop(String(tenantId))
        await closeQuiet(platform)
      },
    ],
  ]
  test.each(cases)('%s', async (_, close) => {
    const scene = await company()
    await close(scene)
    await scene.jobsDone()
    expect((await scene.all()).map((ticket) => ticket.status)).toEqual(['closed'])
    expect([await scene.rows(), await scene.heard()]).toEqual([[], []])
  })
})

describe('the list', () => {
  /** Evaluations of one contact, each with a ticket; the newest last. */
  async function grades(
    { m, tenantId, phone, ana, queueId }: Awaited<ReturnType<typeof company>>,
    given: readonly (number | null)[],
    row: object = {},
  ) {
    const contactId = await m.contact(tenantId, { name: 'Otávio Rezende' })
    const ids: number[] = []
    for (const [n, evaluation] of given.entries()) {
      const at = new Date(Date.UTC(2026, 9, 1 + n, 15))
      const ticketId = await m.ticket(tenantId, {
        contact_id: contactId,
        connection_id: phone.connectionId,
        status: 'closed',
        closed_at: at,
        user_id: ana.id,
        queue_id: queueId,
        ...row,
      })
      await m.insert('ticket_evaluations', tenantId, {
        ticket_id: ticketId,
        contact_id: contactId,
        connection_id: phone.connectionId,
        conversation_key: 'c',
        user_id: ana.id,
        queue_id: queueId,
        closed_at: at,
        asked_at: at,
        expires_at: at,
        evaluation,
        status: evaluation === null ? 'expired' : 'answered',
      })
      ids.push(ticketId)
    }
    return ids
  }
  const shown = (body: { ticketEvaluations: EvaluationRow[] }) => body.ticketEvaluations.map((row) => row.evaluation)

  it('shows the newest first, says what they amount to, and is read page by page without a gap', async () => {
    const scene = await company()
    await grades(
      scene,
      Array.from({ length: 90 }, (_, n) => (n % 10 === 0 ? null : n % 6)),
    )
    const first = await scene.list()
    expect(first).toMatchObject({ count: 90, hasMore: true, summary: { answered: 81 } })
    expect(first.summary!.average).toBeCloseTo(
      first.summary!.amounts.reduce((sum, n, rating) => sum + n * rating, 0) / 81,
    )
    expect(first.ticketEvaluations[0]).toMatchObject({
      contactName: 'Otávio Rezende',
      user: { name: 'Ana Lima' },
      queue: { queue: 'Vendas' },
      status: 'answered',
    })
    const second = await scene.list({ cursor: first.nextCursor! })
    const third = await scene.list({ cursor: second.nextCursor! })
    const ids = [first, second, third].flatMap((page) => page.ticketEvaluations.map((row) => row.id))
    expect([ids.length, new Set(ids).size, third.hasMore]).toEqual([90, 90, false])
    expect(ids).toEqual(ids.toSorted((a, b) => b - a))
    expect((await scene.list({ pageNumber: 2 })).ticketEvaluations.map((row) => row.id)).toEqual(ids.slice(40, 80))
    expect((await call(product(), evaluations.list, scene.token.lead, { query: { pageNumber: 51 } })).status).toBe(400)
    expect((await call(product(), evaluations.list, scene.token.lead, { query: { cursor: 'x' } })).status).toBe(400)
  })

  it('is narrowed by ratings, by days of the company’s zone, by names and by the ticket', async () => {
    const scene = await company()
    const ids = await grades(scene, [5, 4, null, 0])
    expect(shown(await scene.list({ rating: [5, 0] }))).toEqual([0, 5])
    expect(shown(await scene.list({ rating: 4 }))).toEqual([4])
    expect(shown(await scene.list({ answered: true }))).toEqual([0, 4, 5])
    expect(shown(await scene.list({ from: '2026-10-02', to: '2026-10-03' }))).toEqual([null, 4])
    expect((await scene.list({ from: '2026-10-02', to: '2026-10-03' })).summary).toEqual({
      amounts: [0, 0, 0, 0, 1, 0],
      answered: 1,
      average: 4,
    })
    expect(shown(await scene.list({ searchParam: 'otavio' }))).toEqual([0, null, 4, 5])
    expect(shown(await scene.list({ searchParam: 'ana lima' }))).toHaveLength(4)
    expect(shown(await scene.list({ searchParam: String(ids[1]) }))).toEqual([4])
    expect(await scene.list({ searchParam: 'ninguém' })).toMatchObject({ count: 0, summary: { average: null } })
  })

  it('shows only what the person may see of the tickets', async () => {
    const scene = await company()
    await grades(scene, [5])
    await grades(scene, [1], { queue_id: scene.otherQueueId, user_id: null })
    expect(shown(await scene.list())).toHaveLength(2)
    const limited = await scene.m.user(scene.tenantId, { profile: 'super', queues: [scene.queueId] })
    await scene.platform.db.asPlatform((db) =>
      db
        .insertInto('settings')
        .values([
          { tenant_id: scene.tenantId, key: 'supervisorAdmin', value: 'enabled' },
          { tenant_id: scene.tenantId, key: 'showClosedForAll', value: 'enabled' },
        ])
        .execute(),
    )
    scene.platform.settings.drop(String(scene.tenantId))
    const token = await scene.m.token(limited)
    const seen = await scene.list({}, token)
    expect([shown(seen), seen.summary, seen.count]).toEqual([
      [5],
      { amounts: [0, 0, 0, 0, 0, 1], answered: 1, average: 5 },
      1,
    ])
  })

  it('masks customers for restricted people, who find them by what they read of a name', async () => {
    const scene = await company()
    await grades(scene, [5])
    const restricted = await scene.m.user(scene.tenantId, { profile: 'super' })
    await scene.platform.db.asPlatform((db) =>
      db.updateTable('users').set({ restricted_user: true }).where('id', '=', restricted.id).execute(),
    )
    const token = await scene.m.token(restricted)
    expect((await scene.list({}, token)).ticketEvaluations).toMatchObject([{ contactName: 'Otávi…' }])
    expect(shown(await scene.list({ searchParam: 'otávi' }, token))).toEqual([5])
    expect(shown(await scene.list({ searchParam: 'otávio rezende' }, token))).toEqual([])
  })

  it('is for leads, and only admins delete from it; what is gone no longer counts at its ticket', async () => {
    const scene = await company()
    const [ticketId] = (await grades(scene, [2])) as [number]
    expect((await call(product(), evaluations.list, scene.token.ana, { query: {} })).status).toBe(403)
    const { id } = (await scene.list()).ticketEvaluations[0]!
    const remove = (by: string) => call(product(), evaluations.remove, by, { params: { id } })
    expect((await remove(scene.token.lead)).status).toBe(403)
    const detail = async () =>
      (await call(product(), tickets.get, scene.token.admin, { params: { id: ticketId } })).body.rating
    expect(await detail()).toBe(2)
    expect((await remove(scene.token.admin)).status).toBe(200)
    expect((await remove(scene.token.admin)).status).toBe(404)
    expect([await detail(), shown(await scene.list())]).toEqual([null, []])
  })

  it('tells at a ticket, to whoever sees it, each time that its customer was asked', async () => {
    const scene = await company()
    const id = await scene.asked()
    await scene.say('3')
    await scene.change(id, { status: 'open' })
    await scene.resolve(id)
    await until(async () => (await scene.rows()).length === 2)
    const logs = (by: string) => call(product(), evaluations.logs, by, { params: { ticketId: id } })
    expect((await logs(scene.token.ana)).body.logs).toMatchObject([
      { status: 'asked', evaluation: null, answeredAt: null },
      { status: 'answered', evaluation: 3, user: { name: 'Ana Lima' }, answeredAt: expect.any(String) },
    ])
    const stranger = await scene.m.token(await scene.m.user(scene.tenantId, { queues: [scene.otherQueueId] }))
    expect((await logs(stranger)).status).toBe(404)
  })
})
