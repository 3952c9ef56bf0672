import { sql } from 'kysely'
import { describe, expect, it, onTestFinished, test } from 'vitest'
import { type Hooks, registerHooks } from '#features/ledger/server/hooks/hooks.ts'
import { ingestIdle } from '#features/ledger/server/ingest/ingest.ts'
import { receive } from '#features/ledger/server/ingest/journal.ts'
import { messages } from '#features/messages/contract.ts'
import { tickets } from '#features/tickets/contract.ts'
import { closeQuiet } from '#features/tickets/server/closing/auto-close.ts'
import { make } from '#test/make.ts'
import { textEvent } from '#test/peers/channel.ts'
import { ratingCompany } from '#test/rating-company.ts'
import { call, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { type RatingTexts, ratings } from './contract.ts'
import { expireRatings, takeRatingAnswers } from './server/index.ts'

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
const company = (texts?: Partial<RatingTexts>) => {
  later = 0
  return ratingCompany(product(), texts)
}
const QUESTION = 'Avalie este atendimento:\n0 - Ruim\n1 - Regular\n2 - Bom\n3 - Muito Bom\n4 - Excelente\n5 - Incrível'
const THANKS = 'Obrigado pela sua avaliação!'
const ERROR = 'Não entendi. Responda com um número de 0 a 5.'
const OVER = 'Tudo bem, encerramos por aqui. Obrigado!'

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

  it('is not asked where the plan leaves ratings out; who was asked before is still thanked', async () => {
    const { asked, resolve, change, say, heard, rows, platform, tenantId, jobsDone } = await company()
    const id = await asked()
    await platform.db.asPlatform((db) =>
      sql`update tenants set excluded_features = '{ratings}' where id = ${tenantId}`.execute(db),
    )
    platform.bus.stale(`settings ${tenantId}`)
    await say('5')
    await until(async () => (await heard()).length === 2)
    await change(id, { status: 'open' })
    await resolve(id)
    await jobsDone()
    expect(await heard()).toEqual([QUESTION, THANKS])
    expect((await rows()).map((row) => row.status)).toEqual(['answered'])
  })

  it('is rated and thanked once although the hook failed at first; the words stand in a ticket, where nothing is lost', async () => {
    const { asked, say, heard, rows, stored, all, jobsDone } = await company()
    const id = await asked()
    let runs = 0
    const run: typeof takeRatingAnswers.run = (ctx, batch, cause) => {
      if (++runs === 1) throw new Error('a hook that fails')
      return takeRatingAnswers.run(ctx, batch, cause)
    }
    const usual = registerHooks({} as Hooks)
    registerHooks({ ...usual, onArrival: [{ ...takeRatingAnswers, run }] })
    onTestFinished(() => void registerHooks(usual))
    await say('5')
    await until(async () => (await heard()).includes(THANKS))
    await say('Obrigada!')
    await jobsDone()
    expect(runs).toBe(2)
    expect(await heard()).toEqual([QUESTION, THANKS])
    const [asking, other] = await all()
    expect([asking!.id, asking!.status, other!.status]).toEqual([id, 'closed', 'pending'])
    expect(await rows()).toMatchObject([{ ticket_id: id, status: 'answered', evaluation: 5 }])
    const bodies = (ticketId: number, of: Awaited<ReturnType<typeof stored>>) =>
      of.filter((row) => row.ticket_id === ticketId).map(({ body }) => body)
    expect(bodies(other!.id, await stored())).toEqual(['5', 'Obrigada!'])
    expect(bodies(id, await stored()).slice(-2)).toEqual([QUESTION, THANKS])
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
    await call(product(), ratings.set, token.admin, { body: six })
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
    await expireRatings(platform)
    expect(await rows()).toMatchObject([{ status: 'asked' }])
    later = MINUTE
    await Promise.all([expireRatings(platform), expireRatings(platform)])
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
      await Promise.all([expireRatings(platform), ingestIdle(platform)])
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
    await expireRatings(platform)
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
    expect(await rows()).toMatchObject([{ status: 'left', evaluation: null }])
  })

  it('of a ticket that was opened again and closed without asking: the rating of before stays as it was', async () => {
    const { asked, change, say, rows, all, token } = await company()
    const id = await asked()
    await say('3')
    await change(id, { status: 'open' })
    await call(product(), tickets.force, token.ana, { params: { id }, body: { status: 'closed' } })
    await say('5')
    expect((await all()).map((ticket) => ticket.status)).toEqual(['closed', 'pending'])
    expect(await rows()).toMatchObject([{ status: 'answered', evaluation: 3 }])
  })

  it('of a question and a reopening: nobody is asked about a ticket that is open again', async () => {
    const { talking, platform, tenantId, rows, heard, change, jobsDone } = await company({ ratingStoreUse: 'disabled' })
    const id = await talking()
    await change(id, { status: 'closed' })
    await change(id, { status: 'open' })
    await platform.db.asPlatform((db) =>
      sql`update settings set value = 'enabled' where tenant_id = ${tenantId} and key = 'ratingStoreUse'`.execute(db),
    )
    platform.settings.delete(String(tenantId))
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
        await make(platform).setting(tenantId, 'autoClose')
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
