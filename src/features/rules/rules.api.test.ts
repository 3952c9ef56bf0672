import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Action } from '#domain/actions/actions.ts'
import { MOST_IN_A_ROW, type RuleEvent } from '#domain/rules/rules.ts'
import { ingestIdle } from '#features/ledger/server/ingest/ingest.ts'
import { receive } from '#features/ledger/server/ingest/journal.ts'
import { messages } from '#features/messages/contract.ts'
import { settings } from '#features/settings/contract.ts'
import { tickets } from '#features/tickets/contract.ts'
import { unit } from '#server/context.ts'
import { automating, automatingCompany } from '#test/automating-company.ts'
import type { Person } from '#test/make.ts'
import { textEvent } from '#test/peers/channel.ts'
import { withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { type Rule, type RuleRun, rules, type Trial } from './contract.ts'
import { actOnClosed, actOnMessages, removeRuns } from './server/index.ts'

const product = withProduct()
let company: Awaited<ReturnType<typeof automatingCompany>>
let tenantId: number
let connectionId: number
let sales: number
let money: number
let vip: number
let late: number
let lead: Person
let ana: Person
let stranger: Person
const { m, ask, rows, openOf, stageOf, forget } = automating(product, () => company)

beforeAll(async () => {
  company = await automatingCompany(product(), 'admin')
  ;({ tenantId, connectionId, sales, money, vip, late, lead, ana, stranger } = company)
})

// Each test has the rules that it makes.
beforeEach(async () => {
  await product().platform.db.write(tenantId, (db) => sql`delete from rules`.execute(db))
  await m().setting(tenantId, 'ruleEvents', '[]')
})

const create = (who: Person, body: object) => ask<Rule>(who, rules.create, { body })
const change = (who: Person, id: number, body: object) => ask<Rule>(who, rules.update, { params: { id }, body })
const tried = async (who: Person, body: object) => (await ask<Trial>(who, rules.try, { body })).body
const runsOf = async (id: number, who = lead) =>
  (await ask<{ items: RuleRun[] }>(who, rules.runs, { params: { id } })).body.items

let made = 0
async function ruleOf(event: RuleEvent, actions: readonly Action[], more: object = {}): Promise<number> {
  const { status, body } = await create(lead, { name: `Regra ${++made}`, isActive: true, event, actions, ...more })
  expect([status, body.error]).toEqual([200, undefined])
  return body.id
}
const tagged = (...tagIds: number[]): Action => ({ kind: 'tag', tagIds })

let people = 0
const nobody = () => `551193000${String(++people).padStart(4, '0')}`
async function writes(from: string, ...bodies: readonly string[]): Promise<void> {
  for (const body of bodies) await receive(product().platform, { tenantId, connectionId }, [textEvent({ from, body })])
  await ingestIdle(product().platform)
}
/** Returns the newest ticket of a number, with the values that rules change. */
const ticketOf = async (from: string) =>
  (
    await rows<{ id: number; status: string; userId: number | null; queueId: number | null; tags: string[] }>(sql`
      select t.id, t.status, t.user_id as "userId", t.queue_id as "queueId",
        array(select g.tag from ticket_tags x join tags g on g.tenant_id = x.tenant_id and g.id = x.tag_id where x.ticket_id = t.id order by 1) as tags
      from tickets t where t.conversation_key = ${from} order by t.id desc limit 1`)
  )[0]!
const move = (who: Person, id: number, body: object) => ask(who, tickets.update, { params: { id }, body })
const say = (who: Person, ticketId: number, body: string) =>
  ask(who, messages.send, { params: { ticketId }, body: { body, idFront: crypto.randomUUID() } } as never)
const tagsOf = async (id: number) =>
  (await rows<{ tag_id: number }>(sql`select tag_id from ticket_tags where ticket_id = ${id} order by 1`)).map(
    ({ tag_id }) => tag_id,
  )

describe('rules as they are kept', () => {
  it('leads make, pause and put them in order; of others’ nothing is there', async () => {
    const first = (await create(lead, { name: 'Primeira', event: 'closed', actions: [tagged(vip)] })).body
    const second = (await create(lead, { name: 'Segunda', event: 'opened', actions: [tagged(late)] })).body
    expect(first).toMatchObject({ isActive: false, match: 'all', conditions: [], matched: 0, lastMatchedAt: null })
    expect(first.steps).toEqual([{ action: tagged(vip), names: ['VIP'], problem: null }])
    const list = async (who: Person) => (await ask<{ items: Rule[] }>(who, rules.list)).body.items
    expect((await list(lead)).map(({ name }) => name)).toEqual(['Primeira', 'Segunda'])
    expect((await ask(lead, rules.arrange, { body: { ids: [second.id, first.id] } })).status).toBe(200)
    expect((await list(lead)).map(({ name }) => name)).toEqual(['Segunda', 'Primeira'])
    expect((await change(lead, first.id, { isActive: true })).body).toMatchObject({
      ...{ name: 'Primeira', isActive: true, steps: first.steps },
    })
    expect(await list(stranger)).toEqual([])
    expect((await change(stranger, first.id, { isActive: false })).status).toBe(404)
    for (const op of [rules.get, rules.remove, rules.runs])
      expect((await ask(stranger, op, { params: { id: first.id } })).status).toBe(404)
    expect((await ask(stranger, rules.arrange, { body: { ids: [first.id] } })).status).toBe(404)
    expect((await create(ana, { name: 'Minha', event: 'closed', actions: [tagged(vip)] })).status).toBe(403)
    expect((await ask(lead, rules.remove, { params: { id: first.id } })).status).toBe(200)
    expect((await ask(lead, rules.get, { params: { id: first.id } })).status).toBe(404)
  })

  it.each<[string, object, string]>([
    ['an action of the form (forms.test.ts)', { actions: [{ kind: 'explode' }] }, 'actions.0.kind'],
    [
      'words where nobody writes',
      { event: 'closed', conditions: [{ field: 'phrases', is: true, values: ['oi'] }] },
      'conditions',
    ],
  ])('refuses %s, and says it in Portuguese', async (_, body, field) => {
    const reply = await create(lead, { name: 'Ruim', event: 'received', actions: [{ kind: 'close' }], ...body })
    expect([reply.status, Object.keys(reply.body.details)]).toEqual([400, [field]])
    expect(reply.body.details[field]).toMatch(/^[A-ZÀ-Ú].*\.$/)
  })

  it('keeps a hundred at most, also of twenty made at once', async () => {
    const at = new Date()
    for (let position = 1; position <= 98; position++)
      await m().insert('rules', tenantId, {
        ...{ name: `${position}`, event: 'closed', position, created_at: at, updated_at: at },
        actions: JSON.stringify([{ kind: 'close' }]),
      })
    const add = () => create(lead, { name: 'Demais', event: 'closed', actions: [{ kind: 'close' }] })
    const replies = await Promise.all(Array.from({ length: 20 }, add))
    expect(replies.filter(({ body }) => body.error === 'ERR_MAX_RULES')).toHaveLength(18)
  })

  it('names only what is there when it is written; what has gone is said, and such a rule does nothing', async () => {
    const queue = await m().queue(tenantId, { queue: 'Passageira' })
    const tag = await m().tag(tenantId, { tag: 'Passageira' })
    const foreign = await m().tag(await m().tenant())
    const wrong = async (body: object) =>
      (await create(lead, { name: 'Ruim', event: 'received', actions: [tagged(vip)], ...body })).body.error
    expect(await wrong({ actions: [tagged(foreign)] })).toBe('ERR_NO_TAG_FOUND')
    expect(await wrong({ conditions: [{ field: 'queueId', is: true, values: [999_999] }] })).toBe('ERR_NO_QUEUE_FOUND')
    expect(await wrong({ conditions: [{ field: 'connectionId', is: true, values: [999_999] }] })).toBe(
      'ERR_NO_WAPP_FOUND',
    )
    const byCondition = await ruleOf('received', [tagged(vip)], {
      conditions: [{ field: 'queueId', is: false, values: [queue] }],
    })
    const byAction = await ruleOf('received', [tagged(late), tagged(tag)])
    await forget({ tag, queue })
    const one = async (id: number) => (await ask<Rule>(lead, rules.get, { params: { id } })).body
    expect((await one(byCondition)).conditions.map(({ problem }) => problem)).toEqual(['Fila não encontrada.'])
    expect((await one(byAction)).steps.map(({ problem }) => problem)).toEqual([null, 'Etiqueta não encontrada.'])
    const from = nobody()
    await writes(from, 'oi')
    expect((await ticketOf(from)).tags).toEqual([])
    expect(await runsOf(byCondition)).toEqual([])
    expect(
      (await runsOf(byAction)).map(({ outcome, steps }) => [outcome, steps.map(({ refusal }) => refusal)]),
    ).toEqual([['refused', [null, 'Etiqueta não encontrada.']]])
    // A deleted reference can remain while the rest is corrected, but no new one can be added.
    expect((await change(lead, byAction, { name: 'Meio corrigida' })).status).toBe(200)
    expect((await change(lead, byAction, { actions: [tagged(foreign)] })).body.error).toBe('ERR_NO_TAG_FOUND')
  })
})

describe('a rule acts', () => {
  const hears = async () => {
    const from = nobody()
    await writes(from, 'oi')
    return (await ticketOf(from)).id
  }
  const acted = async (row: object, act: (id: number) => Promise<{ status: number }>) => {
    const id = await openOf(row)
    expect((await act(id)).status).toBe(200)
    return id
  }
  it.each<[RuleEvent, () => Promise<number>]>([
    ['opened', hears],
    ['received', hears],
    ['sent', () => acted({}, (id) => say(ana, id, 'Bom dia'))],
    [
      'assigned',
      () => acted({ status: 'pending', user_id: null }, (id) => move(ana, id, { status: 'open', userId: ana.id })),
    ],
    ['closed', () => acted({}, (id) => move(ana, id, { status: 'closed' }))],
  ])('when a ticket is %s, and only then', async (event, happen) => {
    const id = await ruleOf(event, [tagged(vip)])
    const before = await tagsOf(await openOf())
    const ticketId = await happen()
    expect([before, await tagsOf(ticketId)]).toEqual([[], [vip]])
    expect((await runsOf(id)).map((run) => [run.ticketId, run.outcome])).toEqual([[ticketId, 'done']])
  })

  it('where its conditions hold, while it is on', async () => {
    const conditions = [
      { field: 'phrases', is: true, values: ['boleto'] },
      { field: 'userId', is: true, values: [null] },
    ]
    const id = await ruleOf('received', [tagged(late), { kind: 'queue', queueId: money }], { conditions })
    const [asks, chats] = [nobody(), nobody()]
    await writes(asks, 'Quero o BOLETO')
    await writes(chats, 'Bom dia')
    expect(await ticketOf(asks)).toMatchObject({ status: 'pending', queueId: money, tags: ['Atrasado'] })
    expect(await ticketOf(chats)).toMatchObject({ queueId: null, tags: [] })
    const nobodys = { field: 'userId', is: true, matches: true, asked: [null], more: 0, found: [null] }
    const said = { field: 'phrases', is: true, matches: true, asked: ['boleto'], more: 0, found: ['boleto'] }
    expect((await runsOf(id))[0]!.conditions).toEqual([said, nobodys])
    await change(lead, id, { isActive: false })
    const third = nobody()
    await writes(third, 'boleto')
    expect((await ticketOf(third)).tags).toEqual([])
    await change(lead, id, { isActive: true })
    await writes(third, 'boleto')
    expect((await ticketOf(third)).tags).toEqual(['Atrasado'])
  })

  it('in the order of the rules, each on what those before it left', async () => {
    const closing = await ruleOf('received', [tagged(vip), { kind: 'queue', queueId: sales }])
    const after = await ruleOf('received', [tagged(late)], {
      conditions: [{ field: 'queueId', is: true, values: [sales] }],
    })
    const [first, second] = [nobody(), nobody()]
    await writes(first, 'oi')
    expect((await ticketOf(first)).tags).toEqual(['Atrasado', 'VIP'])
    await ask(lead, rules.arrange, { body: { ids: [after, closing] } })
    await writes(second, 'oi')
    expect((await ticketOf(second)).tags).toEqual(['VIP'])
  })

  it('also writes to who still waits; the customer goes on waiting, and nobody is named as author', async () => {
    await ruleOf('opened', [
      { kind: 'text', body: 'Olá, {{firstName}}! Protocolo {{protocol}}' },
      { kind: 'note', body: 'Chegou' },
    ])
    const from = nobody()
    await writes(from, 'oi')
    const { id, status } = await ticketOf(from)
    expect(status).toBe('pending')
    await until(() => company.channel.sent.some(({ conversationKey }) => conversationKey === from))
    const written = await rows<{ body: string; note: boolean; user: number | null }>(sql`
      select body, is_note as note, user_id as user from messages where ticket_id = ${id} and from_me order by seq`)
    expect(written).toEqual([
      { body: expect.stringMatching(/^Olá, .+! Protocolo \d+$/), note: false, user: null },
      { body: 'Chegou', note: true, user: null },
    ])
    expect(await rows(sql`select waiting_since is not null as waits from tickets where id = ${id}`)).toEqual([
      { waits: true },
    ])
  })

  it('whole or not at all; the log names the rule', async () => {
    const id = await ruleOf('closed', [tagged(vip), { kind: 'text', body: 'Até logo' }])
    const ticketId = await openOf()
    await move(ana, ticketId, { status: 'closed' })
    expect(await tagsOf(ticketId)).toEqual([])
    const [run] = await runsOf(id)
    expect([run!.outcome, run!.steps.map(({ refusal }) => refusal)]).toEqual([
      'refused',
      [null, 'Reabra o atendimento antes de responder.'],
    ])
    const name = (await ask<Rule>(lead, rules.get, { params: { id } })).body.name
    await change(lead, id, { event: 'received', actions: [{ kind: 'person', userId: ana.id }] })
    const from = nobody()
    await writes(from, 'oi')
    const ticket = await ticketOf(from)
    expect(ticket).toMatchObject({ status: 'open', userId: ana.id })
    expect(
      await rows(
        sql`select type, data->>'reason' as reason from ticket_logs where ticket_id = ${ticket.id} order by id`,
      ),
    ).toContainEqual({ type: 'transfered', reason: `Automação “${name}”` })
    expect((await runsOf(id)).map(({ outcome }) => outcome)).toEqual(['done', 'refused'])
    await writes(from, 'e agora?')
    expect((await runsOf(id)).map(({ outcome }) => outcome)).toEqual(['same', 'done', 'refused'])
  })

  it('puts the contact into a stage', async () => {
    const stage = await stageOf('Ganho', ++made)
    await ruleOf('received', [{ kind: 'stage', stageId: stage }])
    const from = nobody()
    await writes(from, 'fechado!')
    const { id } = await ticketOf(from)
    const stages = () => rows(sql`select kanban from tickets where id = ${id}`)
    await until(async () => JSON.stringify(await stages()) === JSON.stringify([{ kanban: stage }]))
  })

  it('not in groups, not on notes', async () => {
    const id = await ruleOf('sent', [tagged(vip)])
    const opened = await ruleOf('closed', [tagged(vip)])
    const note = await openOf()
    const internal = { body: 'Só nós', isNote: true, idFront: crypto.randomUUID() }
    expect((await ask(ana, messages.send, { params: { ticketId: note }, body: internal })).status).toBe(200)
    const group = await openOf({ is_group: true })
    await move(ana, group, { status: 'closed' })
    expect([await runsOf(id), await runsOf(opened)]).toEqual([[], []])
  })

  it('once for each event, however often it is told of it', async () => {
    const id = await ruleOf('closed', [{ kind: 'note', body: 'Resolvido' }])
    const ticketId = await openOf({ status: 'closed', closed_at: new Date() })
    const again = () =>
      unit(product().platform, { tenantId, user: null }, (ctx) =>
        actOnClosed.run(ctx, [{ ticketId, how: 'person' }], { id: 'the same', depth: 0 }),
      )
    await again()
    await again()
    const notes = () => rows<{ n: number }>(sql`select count(*)::int as n from messages where ticket_id = ${ticketId}`)
    expect([(await runsOf(id)).length, await notes()]).toEqual([1, [{ n: 1 }]])
    await unit(product().platform, { tenantId, user: null }, (ctx) =>
      actOnClosed.run(ctx, [{ ticketId, how: 'person' }], { id: 'another', depth: 0 }),
    )
    expect([(await runsOf(id)).length, await notes()]).toEqual([2, [{ n: 2 }]])
  })

  it('with the transaction of what happened: what does not come about has done nothing', async () => {
    const id = await ruleOf('closed', [tagged(vip)])
    const ticketId = await openOf({ status: 'closed', closed_at: new Date() })
    const failing = unit(product().platform, { tenantId, user: null }, async (ctx) => {
      await actOnClosed.run(ctx, [{ ticketId, how: 'person' }], { id: 'broken off', depth: 0 })
      throw new Error('broken off')
    })
    await expect(failing).rejects.toThrow('broken off')
    expect([await runsOf(id), await tagsOf(ticketId)]).toEqual([[], []])
  })

  it('what rules do are events too, of which three in a row act', async () => {
    const ping = await ruleOf('assigned', [{ kind: 'close' }])
    const pong = await ruleOf('closed', [{ kind: 'person', userId: lead.id }])
    const ticketId = await openOf({ status: 'pending', user_id: null })
    expect((await move(lead, ticketId, { status: 'open', userId: ana.id })).status).toBe(200)
    const outcomes = [...(await runsOf(ping)), ...(await runsOf(pong))].map(({ outcome }) => outcome)
    expect(outcomes.filter((one) => one === 'done')).toHaveLength(MOST_IN_A_ROW)
    expect(outcomes.filter((one) => one === 'stopped')).toHaveLength(1)
    expect(await rows(sql`select status from tickets where id = ${ticketId}`)).toEqual([{ status: 'closed' }])
  })

  it('asks the database for nothing where no rule answers to what happened', async () => {
    await ruleOf('closed', [tagged(vip)])
    const asked = await unit(product().platform, { tenantId, user: null }, async (ctx) => {
      const db = new Proxy(ctx.db, {
        get: () => {
          throw new Error('asked')
        },
      })
      const item = { ticketId: 1, fromMe: false, isNote: false, isLate: false, isClosed: false, isGroup: false }
      const more = { userId: null, queueId: null, chatFlowId: null, connectionId, isFirst: true, text: 'oi' }
      return actOnMessages.run({ ...ctx, db }, [{ ...item, ...more }], { id: 'x', depth: 0 })
    })
    expect(asked).toEqual({})
  })
})

describe('the trial', () => {
  it('says of what happened where the rule would have matched and what it would have done, as it then does', async () => {
    const at = await m().tenant()
    const own = await m().person(at, { profile: 'admin' })
    const line = await m().connection(at, { type: 'test' })
    const tag = await m().tag(at, { tag: 'Cobrança' })
    const conditions = [
      { field: 'phrases', is: true, values: ['boleto'] },
      { field: 'status', is: true, values: ['pending'] },
    ]
    const actions = [
      { kind: 'tag', tagIds: [tag] },
      { kind: 'text', body: 'Já vai, {{firstName}}' },
    ]
    const from = nobody()
    const tell = async (body: string) => {
      await receive(product().platform, { tenantId: at, connectionId: line }, [textEvent({ from, body })])
      await ingestIdle(product().platform)
    }
    await tell('Bom dia')
    await tell('Quero o boleto')
    const before = await tried(own, { event: 'received', conditions, actions })
    expect(before).toMatchObject({ total: 2, matched: 1, refused: 0 })
    expect(before.events.map(({ text, matches, conditions }) => [text, matches, conditions])).toEqual([
      ['Quero o boleto', true, [true, true]],
      ['Bom dia', false, [false, true]],
    ])
    const status = { field: 'status', is: true, matches: true, asked: ['pending'], more: 0, found: ['pending'] }
    expect(before.events[1]!.decided).toEqual([
      { field: 'phrases', is: true, matches: false, asked: ['boleto'], more: 0, found: [] },
      status,
    ])
    expect(before.events[0]!.steps).toEqual([
      { refusal: null, isSame: false, body: null },
      { refusal: null, isSame: false, body: expect.stringMatching(/^Já vai, \S+$/) },
    ])
    const stored = () =>
      product().platform.db.read(at, async (db) => ({
        messages: (await sql`select id from messages where from_me`.execute(db)).rows.length,
        tags: (await sql`select from ticket_tags`.execute(db)).rows.length,
        runs: (await sql`select from rule_runs`.execute(db)).rows.length,
      }))
    expect(await stored()).toEqual({ messages: 0, tags: 0, runs: 0 })
    // The same words again, with the rule on.
    await create(own, { name: 'Cobrança', event: 'received', isActive: true, conditions, actions })
    await tell('Bom dia')
    await tell('Quero o boleto')
    expect(await stored()).toEqual({ messages: 1, tags: 1, runs: 1 })
    // Since then a person has it: what was asked before is still judged as it was.
    const [{ id }] = (
      await product().platform.db.read(at, async (db) => sql<{ id: number }>`select id from tickets`.execute(db))
    ).rows as [{ id: number }]
    await move(own, id, { status: 'open', userId: own.id })
    await tell('E o boleto?')
    const after = await tried(own, { event: 'received', conditions, actions })
    expect(after.events.map(({ text, matches }) => [text, matches])).toEqual([
      ['E o boleto?', false],
      ['Quero o boleto', true],
      ['Bom dia', false],
      ['Quero o boleto', true],
      ['Bom dia', false],
    ])
  })

  it('names what would have been refused; it is tried on 500 events at most, and on those that one sees', async () => {
    const at = await m().tenant()
    const own = await m().person(at, { profile: 'admin' })
    const queue = await m().queue(at)
    const other = await m().queue(at)
    const limited = await m().person(at, { profile: 'super', queues: [queue] })
    const limiting = { params: { key: 'supervisorAdmin' }, body: { value: 'enabled' } }
    expect((await ask(own, settings.set, limiting)).status).toBe(200)
    const contact = await m().contact(at, { name: 'Marlene Dias' })
    for (const queue_id of [queue, other]) {
      const ticket = await m().ticket(at, { status: 'closed', queue_id, contact_id: contact, closed_at: new Date() })
      await product().platform.db.write(at, (db) =>
        sql`insert into ticket_logs (tenant_id, ticket_id, type, queue_id, created_at)
          select ${at}, ${ticket}, 'closed', ${queue_id}, now() from generate_series(1, 300)`.execute(db),
      )
    }
    const body = { event: 'closed', actions: [{ kind: 'text', body: 'Volte sempre' }] }
    const all = await tried(own, body)
    expect([all.total, all.matched, all.refused]).toEqual([500, 500, 500])
    expect(all.events[0]!.steps[0]!.refusal).toBe('Reabra o atendimento antes de responder.')
    expect((await tried(limited, body)).total).toBe(300)
  })
})

it('forgets what rules did long ago', async () => {
  const id = await ruleOf('closed', [tagged(vip)])
  const ticketId = await openOf()
  await move(ana, ticketId, { status: 'closed' })
  const forget = (before: Date) => product().platform.db.asPlatform((db) => removeRuns(db, before, 10, tenantId))
  expect(await forget(new Date(Date.now() - 1000 * 60))).toBe(0)
  expect(await forget(new Date(Date.now() + 1000 * 60))).toBeGreaterThan(0)
  expect(await runsOf(id)).toEqual([])
})
