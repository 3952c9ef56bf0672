import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Action } from '#domain/actions/actions.ts'
import { bulk } from '#features/bulk/contract.ts'
import { messages } from '#features/messages/contract.ts'
import { ticketsBulk } from '#features/tickets/bulk-contract.ts'
import type { BulkAnswer, Undone } from '#kit/bulk.ts'
import { finalizeJob } from '#server/bulk/finalize.ts'
import { automating, automatingCompany } from '#test/automating-company.ts'
import type { Person } from '#test/make.ts'
import { withProduct } from '#test/server.ts'
import { breadth } from '#test/setup/breadth.ts'
import { until } from '#test/until.ts'
import { type Macro, type MacroPreview, macros } from './contract.ts'
import { forgetMacros } from './server/queries.ts'

let shiftMs = 0
const product = withProduct({ now: () => new Date(Date.now() + shiftMs) })
let company: Awaited<ReturnType<typeof automatingCompany>>
let tenantId: number
let sales: number
let money: number
let vip: number
let late: number
let won: number
let lead: Person
let ana: Person
let bia: Person
let stranger: Person
const { m, ask, rows, openOf: ticketOf, stageOf, forget } = automating(product, () => company)

beforeAll(async () => {
  company = await automatingCompany(product(), 'super')
  ;({ tenantId, sales, money, vip, late, lead, ana, bia, stranger } = company)
  won = await stageOf('Ganho', 1)
})

const create = (who: Person, body: object) => ask<Macro>(who, macros.create, { body })
const change = (who: Person, id: number, body: object) => ask<Macro>(who, macros.update, { params: { id }, body })
const remove = (who: Person, id: number) => ask(who, macros.remove, { params: { id } })
const seen = async (who: Person) => (await ask<{ items: Macro[] }>(who, macros.list)).body.items.map(({ name }) => name)
const preview = (who: Person, id: number, ticketId: number) =>
  ask<MacroPreview>(who, macros.preview, { params: { id, ticketId } })
const run = (who: Person, macroId: number, ids: readonly number[]) =>
  ask<BulkAnswer>(who, ticketsBulk.start, { body: { ids: [...ids], action: 'macro', args: { macroId } } })
const undo = (who: Person, id: string | null) => ask<Undone>(who, bulk.undo, { params: { id } })

let made = 0
const macroOf = async (actions: readonly Action[], more: object = {}): Promise<number> => {
  const { status, body } = await create(lead, { name: `Macro ${++made}`, actions, ...more })
  expect([status, body.error]).toEqual([200, undefined])
  return body.id
}
/** Returns all state of a ticket that an undo restores, and its visible texts. */
const imageOf = (ids: readonly number[]) =>
  rows<object>(sql`
    select to_jsonb(t) as ticket, (select to_jsonb(c) - 'updated_at' from contacts c where c.id = t.contact_id) as contact, array(select g.tag_id from ticket_tags g where g.ticket_id = t.id order by 1) as tags,
      array(select x.body from messages x where x.ticket_id = t.id and not x.is_deleted and x.status <> 'canceled' order by x.seq) as messages
    from tickets t where t.id = any(${[...ids]}::bigint[]) order by t.id`)
const writtenIn = (ticketId: number) =>
  rows<{ body: string; status: string; isNote: boolean; isDeleted: boolean; waits: boolean }>(sql`
    select body, status, is_note as "isNote", is_deleted as "isDeleted", send_at is not null as waits
    from messages where ticket_id = ${ticketId} order by seq`)

/** Runs the finalizing job after the undo period, twice, as after a crash. */
async function finalize(operationId: string | null): Promise<void> {
  shiftMs += 10_001
  const given = { tenantId, operationId: operationId! }
  for (let n = 0; n < 2; n++) await finalizeJob.run(product().platform, given, { requireOwnership: () => {} })
}
const sentTo = (ticketId: number) =>
  rows<{ key: string }>(sql`select conversation_key as key from tickets where id = ${ticketId}`).then(([one]) =>
    company.channel.sent.filter(({ conversationKey }) => conversationKey === one!.key).map(({ body }) => body),
  )

describe('macros as they are kept', () => {
  it('leads make them, and everybody uses those that they see; what is foreign is not there', async () => {
    const close: Action[] = [{ kind: 'close' }]
    const ofAll = (await create(lead, { name: 'De todos', actions: close })).body
    const ofQueue = (await create(lead, { name: 'De vendas', audience: 'queue', queueId: sales, actions: close })).body
    const own = (await create(lead, { name: 'Da Léa', audience: 'person', actions: close })).body
    expect(ofAll).toMatchObject({
      audience: 'company',
      queueId: null,
      steps: [{ action: close[0], names: [], problem: null }],
    })
    expect([await seen(ana), await seen(bia), await seen(lead), await seen(stranger)]).toEqual([
      ['De todos', 'De vendas'],
      ['De todos'],
      ['Da Léa', 'De todos', 'De vendas'],
      [],
    ])
    expect((await create(ana, { name: 'Minha', actions: close })).status).toBe(403)
    expect((await change(ana, ofAll.id, { name: 'Outra' })).status).toBe(403)
    expect((await remove(ana, ofAll.id)).status).toBe(403)
    const ticket = await ticketOf()
    for (const [who, id] of [
      [stranger, ofAll.id],
      [bia, ofQueue.id],
      [ana, own.id],
      [ana, 999_999_999],
    ] as const) {
      expect((await preview(who, id, ticket)).body.error).toBe('ERR_NO_MACRO_FOUND')
      expect((await run(who, id, [ticket])).body.error).toBe('ERR_NO_MACRO_FOUND')
      expect((await ask(who, macros.get, { params: { id } })).status).toBe(404)
    }
    expect((await change(stranger, ofAll.id, { name: 'Outra' })).status).toBe(404)
    expect((await remove(stranger, ofAll.id)).status).toBe(404)
    expect((await change(lead, ofQueue.id, { audience: 'company' })).body).toMatchObject({ queueId: null })
    expect((await change(lead, ofAll.id, { name: 'Agora outra' })).body).toMatchObject({
      name: 'Agora outra',
      steps: ofAll.steps,
    })
    expect((await remove(lead, ofAll.id)).status).toBe(200)
    expect((await remove(lead, ofAll.id)).status).toBe(404)
    const leaver = await m().person(tenantId, { profile: 'super' })
    await create(leaver, { name: 'Só dele', audience: 'person', actions: close })
    const kept = (await create(leaver, { name: 'Da casa', actions: close })).body
    await product().platform.db.write(tenantId, (db) => forgetMacros(db, leaver))
    expect(await rows(sql`select id, user_id from macros where name in ('Só dele', 'Da casa')`)).toEqual([
      { id: kept.id, user_id: null },
    ])
  })

  it.each<[string, object, string]>([
    ['a step of the form (rules/forms.test.ts)', { actions: [{ kind: 'explode' }] }, 'actions.0.kind'],
    ['a step with what is another’s', { actions: [{ kind: 'close', body: 'x' }] }, 'actions.0.body'],
    ['a queue’s without the queue', { audience: 'queue', actions: [{ kind: 'close' }] }, 'queueId'],
  ])('refuses %s', async (_, body, field) => {
    const reply = await create(lead, { name: 'Ruim', ...body })
    expect([reply.status, Object.keys(reply.body.details)]).toEqual([400, [field]])
  })

  it('names only what is there when it is written, and says later what has gone', async () => {
    const foreignTag = await m().tag(await m().tenant())
    const wrong = async (action: Action) => (await create(lead, { name: 'Ruim', actions: [action] })).body.error
    expect(await wrong({ kind: 'tag', tagIds: [vip, foreignTag] })).toBe('ERR_NO_TAG_FOUND')
    expect(await wrong({ kind: 'queue', queueId: 999_999 })).toBe('ERR_NO_QUEUE_FOUND')
    expect(await wrong({ kind: 'person', userId: stranger.id })).toBe('ERR_NO_USER_FOUND')
    expect(await wrong({ kind: 'stage', stageId: won + 1_000_000 })).toBe('ERR_NO_KANBAN_FOUND')

    const [tag, queue] = [await m().tag(tenantId), await m().queue(tenantId)]
    const { id: userId } = await m().user(tenantId)
    const actions: Action[] = [
      { kind: 'note', body: 'Antes' },
      { kind: 'tag', tagIds: [vip, tag] },
      { kind: 'queue', queueId: queue },
      { kind: 'person', userId },
    ]
    const id = await macroOf(actions, { audience: 'queue', queueId: queue })
    await forget({ tag, queue, user: userId })
    const { body } = await ask<Macro>(lead, macros.get, { params: { id } })
    expect(body.queue).toBe(null)
    expect(body.steps.map(({ names, problem }) => [names, problem])).toEqual([
      [[], null],
      [['VIP'], 'Etiqueta não encontrada.'],
      [[], 'Fila não encontrada.'],
      [[], 'Usuário não encontrado.'],
    ])
    const ticket = await ticketOf()
    const before = await imageOf([ticket])
    const found = await preview(lead, id, ticket)
    expect(found.body.mayRun).toBe(false)
    expect(found.body.steps.map(({ refusal }) => refusal)).toEqual(body.steps.map(({ problem }) => problem))
    const { body: refused } = await run(lead, id, [ticket])
    expect([refused.done, refused.undoUntil, refused.refused]).toEqual([
      0,
      null,
      [{ id: ticket, code: 'ERR_NO_TAG_FOUND', text: body.steps[1]!.problem }],
    ])
    expect(await imageOf([ticket])).toEqual(before)
    // A deleted reference can remain while the rest is corrected, but no new one can be added.
    expect((await change(lead, id, { name: 'Meio corrigida', audience: 'company' })).status).toBe(200)
    expect((await change(lead, id, { actions: [...actions, { kind: 'tag', tagIds: [foreignTag] }] })).body.error).toBe(
      'ERR_NO_TAG_FOUND',
    )
  })
})

describe('a macro is used', () => {
  const all = (): Action[] => [
    { kind: 'tag', tagIds: [vip] },
    { kind: 'person', userId: null },
    { kind: 'text', body: '{{firstName}}, aqui é {{user}}' },
    { kind: 'note', body: 'Falei com {{name}}' },
    { kind: 'stage', stageId: won },
    { kind: 'close' },
  ]

  it('says beforehand what each step does, does all at once, and lets the customer notice when it is final', async () => {
    const id = await macroOf(all())
    const ticket = await ticketOf({ status: 'pending', user_id: null })
    const found = await preview(ana, id, ticket)
    expect(found.body).toMatchObject({ mayRun: true })
    expect(found.body.steps.map(({ body }) => body)).toEqual([
      null,
      null,
      'Marlene, aqui é Ana',
      'Falei com Marlene Dias',
      null,
      null,
    ])
    expect(await writtenIn(ticket)).toEqual([])

    const { body } = await run(ana, id, [ticket])
    expect(body).toMatchObject({ status: 'done', action: 'macro', done: 1, refusedCount: 0 })
    expect(await rows(sql`select status, user_id as "userId" from tickets where id = ${ticket}`)).toEqual([
      { status: 'closed', userId: ana.id },
    ])
    expect(await writtenIn(ticket)).toEqual([
      { body: 'Marlene, aqui é Ana', status: 'pending', isNote: false, isDeleted: false, waits: true },
      { body: 'Falei com Marlene Dias', status: 'sent', isNote: true, isDeleted: false, waits: false },
    ])
    expect(await sentTo(ticket)).toEqual([])
    await finalize(body.id)
    await until(async () => (await sentTo(ticket)).length === 1)
    expect(await sentTo(ticket)).toEqual(['Marlene, aqui é Ana'])
    expect((await undo(ana, body.id)).body.error).toBe('ERR_UNDO_EXPIRED')
  })

  it('one undo takes everything back: ticket, tags, note and text, of which the customer hears nothing', async () => {
    const id = await macroOf(all())
    const ticket = await ticketOf({ status: 'pending', user_id: null })
    const before = await imageOf([ticket])
    const { body } = await run(ana, id, [ticket])
    expect((await undo(ana, body.id)).body).toEqual({ restored: 1, refused: [] })
    expect(await imageOf([ticket])).toEqual(before)
    await finalize(body.id)
    expect((await writtenIn(ticket)).map(({ status, isDeleted }) => [status, isDeleted])).toEqual([
      ['canceled', false],
      ['sent', true],
    ])
    expect(await sentTo(ticket)).toEqual([])
    expect(await rows(sql`select from bulk_messages where ticket_id = ${ticket}`)).toEqual([])
  })

  it('what left because somebody sent it at once cannot be taken back, and nothing else is', async () => {
    const id = await macroOf([{ kind: 'text', body: 'Já vai' }])
    const ticket = await ticketOf()
    const { body } = await run(ana, id, [ticket])
    await product().platform.db.write(tenantId, (db) =>
      sql`update messages set send_at = null, status = 'sent' where ticket_id = ${ticket}`.execute(db),
    )
    const { body: kept } = await undo(ana, body.id)
    expect([kept.restored, kept.refused.map(({ code }) => code)]).toEqual([0, ['ERR_SEND_STATE']])
  })

  it('a text that was given up by hand stays so, and the rest can still be taken back', async () => {
    const id = await macroOf([
      { kind: 'tag', tagIds: [late] },
      { kind: 'text', body: 'Não quero mais' },
    ])
    const ticket = await ticketOf()
    const before = await imageOf([ticket])
    const { body } = await run(ana, id, [ticket])
    const [text] = await rows<{ id: string }>(sql`select id from messages where ticket_id = ${ticket}`)
    expect((await ask(ana, messages.remove, { body: { id: text!.id } })).status).toBe(200)
    expect((await undo(ana, body.id)).body).toEqual({ restored: 1, refused: [] })
    expect(await imageOf([ticket])).toEqual(before)
  })

  it('on many at once: each that refuses stays as it is with its reason; hidden and foreign ones are not there', async () => {
    const id = await macroOf([
      { kind: 'text', body: 'Olá' },
      { kind: 'snooze', minutes: 60 },
    ])
    const [open, pending] = [await ticketOf(), await ticketOf({ status: 'pending', user_id: null })]
    const hidden = await ticketOf({ queue_id: money, user_id: bia.id })
    const foreign = await m().ticket(await m().tenant(), { status: 'open' })
    const before = await imageOf([pending, hidden])
    const { body } = await run(ana, id, [open, pending, hidden, foreign])
    expect([body.total, body.done, body.refused.map((one) => [one.id, one.code])]).toEqual([
      4,
      1,
      [
        [pending, 'ERR_MESSAGE_TICKET_PENDING'],
        [hidden, 'ERR_NO_TICKET_FOUND'],
        [foreign, 'ERR_NO_TICKET_FOUND'],
      ],
    ])
    expect(await imageOf([pending, hidden])).toEqual(before)
    for (const ticket of [hidden, foreign])
      expect((await preview(ana, id, ticket)).body.error).toBe('ERR_NO_TICKET_FOUND')
  })

  it('twenty at once do it once', async () => {
    const id = await macroOf([{ kind: 'text', body: 'Uma vez só' }, { kind: 'close' }])
    const ticket = await ticketOf()
    const replies = await Promise.all(Array.from({ length: 20 }, () => run(ana, id, [ticket])))
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
    const done = replies.filter(({ body }) => body.done === 1)
    const codes = replies.flatMap(({ body }) => body.refused.map(({ code }) => code))
    expect([done.length, codes]).toEqual([1, Array.from({ length: 19 }, () => 'ERR_MESSAGE_TICKET_CLOSED')])
    await finalize(done[0]!.body.id)
    await until(async () => (await sentTo(ticket)).length === 1)
  })

  it('a list that is changed while it is used goes on as it was', async () => {
    const id = await macroOf([{ kind: 'tag', tagIds: [vip] }])
    const ticket = await ticketOf()
    const { body } = await run(ana, id, [ticket])
    await change(lead, id, { actions: [{ kind: 'close' }] })
    await finalize(body.id)
    expect(await rows(sql`select status from tickets where id = ${ticket}`)).toEqual([{ status: 'open' }])
    expect(await rows(sql`select args -> 'actions' as actions from bulk_operations where id = ${body.id}`)).toEqual([
      { actions: [{ kind: 'tag', tagIds: [vip] }] },
    ])
  })

  it('steps that undo one another change nothing, and stand in nobody’s way back', async () => {
    const ticket = await ticketOf({ status: 'pending', user_id: null })
    const there = await macroOf([
      { kind: 'queue', queueId: money },
      { kind: 'tag', tagIds: [late] },
      { kind: 'queue', queueId: sales },
      { kind: 'untag', tagIds: [late] },
    ])
    const { body: own } = await run(ana, await macroOf([{ kind: 'tag', tagIds: [vip] }]), [ticket])
    const before = await imageOf([ticket])
    const { body } = await run(lead, there, [ticket])
    expect([body.refused, body.undoUntil]).toEqual([[], null])
    expect(await imageOf([ticket])).toEqual(before)
    expect((await undo(ana, own.id)).body).toEqual({ restored: 1, refused: [] })
  })

  it('any macro that is used and taken back leaves everything as it was', async () => {
    const action = fc.oneof(
      fc.record({
        kind: fc.constantFrom('tag' as const, 'untag' as const),
        tagIds: fc.uniqueArray(fc.constantFrom(0, 1), { minLength: 1 }),
      }),
      fc.record({ kind: fc.constant('queue' as const), queueId: fc.constantFrom(0, 1) }),
      fc.record({ kind: fc.constant('person' as const), userId: fc.constantFrom(null, 0, 1) }),
      fc.record({
        kind: fc.constantFrom('note' as const, 'text' as const),
        body: fc.constantFrom('Olá, {{name}}', 'ok'),
      }),
      fc.record({ kind: fc.constant('close' as const) }),
      fc.record({ kind: fc.constant('stage' as const), stageId: fc.constant(won) }),
      fc.record({ kind: fc.constant('snooze' as const), minutes: fc.integer({ min: 1, max: 525_600 }) }),
    )
    const real = (one: typeof action extends fc.Arbitrary<infer A> ? A : never): Action => {
      if (one.kind === 'tag' || one.kind === 'untag') return { ...one, tagIds: one.tagIds.map((n) => [vip, late][n]!) }
      if (one.kind === 'queue') return { ...one, queueId: [sales, money][one.queueId]! }
      if (one.kind === 'person') return { ...one, userId: one.userId === null ? null : [ana.id, bia.id][one.userId]! }
      return one
    }
    const tickets = [
      await ticketOf(),
      await ticketOf({ status: 'pending', user_id: null, unread_messages: 3, waiting_since: new Date() }),
      await ticketOf({ status: 'closed', closed_at: new Date() }),
      await ticketOf({ snoozed_until: new Date(Date.now() + 1e7) }),
    ]
    let done = 0
    const property = fc.asyncProperty(fc.array(action, { minLength: 1, maxLength: 6 }), async (list) => {
      const id = await macroOf(list.map(real))
      const before = await imageOf(tickets)
      const { body } = await run(lead, id, tickets)
      if (body.undoUntil === null) return void expect(await imageOf(tickets)).toEqual(before)
      done += body.done
      const { body: back } = await undo(lead, body.id)
      expect(back.refused).toEqual([])
      expect(await imageOf(tickets)).toEqual(before)
    })
    await fc.assert(property, { numRuns: breadth(8, 80) })
    expect(done).toBeGreaterThan(0)
  })
})
