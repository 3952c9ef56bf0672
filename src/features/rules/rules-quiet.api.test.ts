import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { USUAL_WEEK } from '#domain/calendar/business-hours.ts'
import { RULE_EVENTS } from '#domain/rules/rules.ts'
import { distributeWaiting } from '#features/distribution/server/run.ts'
import { flows } from '#features/flows/contract.ts'
import { hours } from '#features/hours/contract.ts'
import { ingestIdle } from '#features/ledger/server/ingest/ingest.ts'
import { receive } from '#features/ledger/server/ingest/journal.ts'
import { settings } from '#features/settings/contract.ts'
import { tickets } from '#features/tickets/contract.ts'
import { writeToContacts } from '#features/tickets/server/begin/to-contacts.ts'
import type { Operation } from '#kit/contract.ts'
import type { ProviderEvent } from '#providers/channels/port.ts'
import { unit } from '#server/context.ts'
import { any, flowOf, node, sends, toQueue } from '#test/flow-steps.ts'
import { make, type Person } from '#test/make.ts'
import { testChannel, textEvent } from '#test/peers/channel.ts'
import { call, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { type RuleRun, rules } from './contract.ts'
import { actOnClosed, actOnOpened } from './server/index.ts'

const product = withProduct()
const m = () => make(product().platform)
let tenantId: number
let connectionId: number
let lead: Person

beforeAll(async () => {
  testChannel(product().platform)
  tenantId = await m().tenant()
  connectionId = await m().connection(tenantId, { type: 'test' })
  lead = await m().person(tenantId, { profile: 'admin' })
})
// biome-ignore lint/suspicious/noExplicitAny: answers are judged by what they have.
async function ask(who: Person, op: any, input: object): Promise<any> {
  return (await call(product(), op, who.token, input)).body
}
const DAY_MS = 24 * 3_600_000
const note = { kind: 'note', body: 'Ver com {{name}}' }
const hear = async (body: string, at = Date.now()) => {
  await receive(product().platform, { tenantId, connectionId }, [textEvent({ from: '5511930000001', body, at })])
  await ingestIdle(product().platform)
}

it('what comes late is no event', async () => {
  const body = { name: 'Ouvir', isActive: true, event: 'received', actions: [note] }
  const { id } = await ask(lead, rules.create, { body })
  await hear('Bom dia')
  await hear('Escrito antes', Date.now() - 3_600_000)
  expect((await ask(lead, rules.runs, { params: { id } })).items).toHaveLength(1)
})

it('a trial names no customer to whom they are masked', async () => {
  await hear('Bom dia')
  const masked = await m().person(tenantId, { profile: 'admin' })
  await product().platform.db.write(tenantId, (db) =>
    db.updateTable('users').set({ restricted_user: true }).where('id', '=', masked.id).execute(),
  )
  const said = async (who: Person) => {
    const { events } = await ask(who, rules.try, { body: { event: 'received', actions: [note] } })
    return events[0].steps[0].body
  }
  expect([await said(lead), await said(masked)]).toEqual(['Ver com Cliente 5511930000001', null])
})

it('what decided is named as it is called now, and told to those alone who see the ticket', async () => {
  const at = await m().tenant()
  const own = await m().person(at, { profile: 'admin' })
  const [mine, others] = [await m().queue(at, { queue: 'Minha' }), await m().queue(at, { queue: 'Outra' })]
  const limited = await m().person(at, { profile: 'super', queues: [mine] })
  await ask(own, settings.set, { params: { key: 'supervisorAdmin' }, body: { value: 'enabled' } })
  const { id } = await ask(own, rules.create, {
    body: {
      ...{ name: 'Fechou', isActive: true, event: 'closed', actions: [note] },
      conditions: [{ field: 'queueId', is: true, values: [mine, others] }],
    },
  })
  const ticketId = await m().ticket(at, { status: 'open', user_id: own.id, queue_id: others })
  expect(await ask(own, tickets.update, { params: { id: ticketId }, body: { status: 'closed' } })).toMatchObject({
    status: 'closed',
  })
  const runs = async (who: Person) => (await ask(who, rules.runs, { params: { id } })).items as RuleRun[]
  const decided = { field: 'queueId', is: true, matches: true, asked: ['Outra', 'Minha'], more: 0, found: ['Outra'] }
  expect((await runs(own)).map(({ conditions }) => conditions)).toEqual([[decided]])
  expect((await runs(limited)).map((run) => [run.ticketId, run.conditions])).toEqual([[null, []]])
  await product().platform.db.write(at, (db) => db.deleteFrom('queues').where('id', '=', mine).execute())
  expect((await runs(own))[0]!.conditions[0]!.asked).toEqual(['Outra', ''])
})

it('a trial refuses what no rule could be', async () => {
  const tried = (actions: object[]) => ask(lead, rules.try, { body: { event: 'received', actions } })
  expect(Object.keys((await tried([])).details)).toEqual(['actions'])
  expect((await tried([{ kind: 'tag', tagIds: [999_999] }])).error).toBe('ERR_NO_TAG_FOUND')
})

it('what is taken up again does not begin, and what goes with its connection is not resolved', async () => {
  const ruleOn = async (event: string) =>
    (await ask(lead, rules.create, { body: { name: event, isActive: true, event, actions: [note] } })).id as number
  const [opened, closed] = [await ruleOn('opened'), await ruleOn('closed')]
  const ticketId = await m().ticket(tenantId, { status: 'pending', connection_id: connectionId })
  const cause = { id: 'x', depth: 0 }
  const runs = async (isReopened: boolean, how: 'removal' | 'timer') => {
    await unit(product().platform, { tenantId, user: null }, async (ctx) => {
      await actOnOpened.run(ctx, [{ ticketId, isReopened }], cause)
      await actOnClosed.run(ctx, [{ ticketId, how }], cause)
    })
    const lists = [opened, closed].map(async (id) => (await ask(lead, rules.runs, { params: { id } })).items.length)
    return Promise.all(lists)
  }
  expect(await runs(true, 'removal')).toEqual([0, 0])
  expect(await runs(false, 'timer')).toEqual([1, 1])
  const matched = async () => (await ask(lead, rules.get, { params: { id: opened } })).matched
  expect(await matched()).toBe(1)
  // Runs older than thirty days are not counted.
  await product().platform.db.write(tenantId, (db) =>
    db
      .updateTable('rule_runs')
      .set({ at: new Date(Date.now() - 31 * 24 * 3_600_000) })
      .execute(),
  )
  expect(await matched()).toBe(0)
})

it('outside of the hours is never who writes by a connection that ignores them', async () => {
  const at = await m().tenant()
  const own = await m().person(at, { profile: 'admin' })
  await ask(own, hours.setWeek, { body: USUAL_WEEK.map((day) => ({ ...day, type: 'C' })) })
  const { id } = await ask(own, rules.create, {
    body: {
      ...{ name: 'Fechado', isActive: true, event: 'opened', actions: [note] },
      conditions: [{ field: 'isOpen', is: false }],
    },
  })
  const runsAfter = async (ignores_hours: boolean) => {
    const connection = await m().connection(at, { type: 'test', ignores_hours })
    product().platform.bus.stale(`settings ${at}`)
    const from = `55119300001${connection}`
    await receive(product().platform, { tenantId: at, connectionId: connection }, [textEvent({ from, body: 'Oi' })])
    await ingestIdle(product().platform)
    return (await ask(own, rules.runs, { params: { id } })).items.length
  }
  expect([await runsAfter(true), await runsAfter(false)]).toEqual([0, 1])
})

it('rules that are saved at the same moment all act', async () => {
  const at = await m().tenant()
  const own = await m().person(at, { profile: 'admin' })
  const made = RULE_EVENTS.flatMap((event) =>
    Array.from({ length: 4 }, async (_, n) => {
      const body = { name: `${event} ${n}`, event, actions: [note] }
      return { id: (await ask(own, rules.create, { body })).id as number, event, isActive: n === 0 && event !== 'sent' }
    }),
  )
  const all = await Promise.all(made)
  const events = () =>
    product().platform.db.read(at, (db) =>
      db.selectFrom('settings').select('value').where('key', '=', 'ruleEvents').executeTakeFirstOrThrow(),
    )
  for (let round = 0; round < 2; round++) {
    await Promise.all(
      all.map(({ id }) => ask(own, rules.update, { params: { id }, body: { isActive: round % 2 === 0 } })),
    )
    await Promise.all(all.map(({ id, isActive }) => ask(own, rules.update, { params: { id }, body: { isActive } })))
    expect(JSON.parse((await events()).value)).toEqual(['assigned', 'closed', 'opened', 'received'])
  }
})

it('a rule and distribution do not move a ticket to and fro for ever; what somebody says begins anew', async () => {
  const at = await m().tenant()
  const own = await m().person(at, { profile: 'admin' })
  const queue = await m().queue(at, { distribution: 'B' })
  const ana = await m().person(at, { queues: [queue] })
  const from = '5511930000077'
  const connection = await m().connection(at, { type: 'test', queue_id: queue })
  const body = { name: 'Plantão', isActive: true, event: 'assigned' }
  const actions = [{ kind: 'queue', queueId: queue }, note]
  const { id } = await ask(own, rules.create, { body: { ...body, actions } })
  await product().platform.db.write(at, (db) =>
    db.updateTable('users').set({ is_online: true }).where('id', '=', ana.id).execute(),
  )
  const runs = async () =>
    ((await ask(own, rules.runs, { params: { id } })).items as RuleRun[]).map(({ outcome }) => outcome).reverse()
  const distributed = async () => {
    await distributeWaiting(product().platform, at)
    return runs()
  }
  const outcomes = async (word: string, most: number) => {
    await receive(product().platform, { tenantId: at, connectionId: connection }, [textEvent({ from, body: word })])
    await ingestIdle(product().platform)
    // The process distributes by itself, too, and whose turn it is acts alone.
    await until(async () => (await distributed()).length >= most)
    for (let run = 0; run < 5; run++) await distributed()
    return runs()
  }
  const round = ['done', 'done', 'done', 'stopped']
  expect(await outcomes('Oi', 4)).toEqual(round)
  const waiting = { status: 'pending', user_id: null }
  await product().platform.db.write(at, (db) => db.updateTable('tickets').set(waiting).execute())
  expect(await outcomes('Alguém?', 8)).toEqual([...round, ...round])
})

describe('a trial is made on what rules are told of', () => {
  let at: number
  let own: Person
  let ana: Person
  let queue: number
  let connection: number
  let people = 0
  const nobody = () => `55119310000${String(++people).padStart(2, '0')}`
  beforeEach(async () => {
    at = await m().tenant()
    own = await m().person(at, { profile: 'admin' })
    queue = await m().queue(at)
    ana = await m().person(at, { queues: [queue] })
    connection = await m().connection(at, { type: 'test', queue_id: queue })
    await product().platform.db.write(at, (db) =>
      db.updateTable('users').set({ is_online: true, capacity: 9 }).where('id', '=', ana.id).execute(),
    )
  })
  const happens = async (event: ProviderEvent) => {
    await receive(product().platform, { tenantId: at, connectionId: connection }, [event])
    await ingestIdle(product().platform)
  }
  const says = (from: string, body: string) => happens(textEvent({ from, body }))
  const ticketOf = async (from: string) =>
    product().platform.db.read(at, (db) =>
      db.selectFrom('tickets').select('id').where('conversation_key', '=', from).executeTakeFirstOrThrow(),
    )
  const move = async (op: Operation, from: string, body: object) => {
    const answer = await ask(own, op, { params: { id: (await ticketOf(from)).id }, body })
    expect(answer.error).toBeUndefined()
  }
  /** Returns the number of events that a trial finds, and of those that match the conditions, which a rule then acts on. */
  const tried = async (event: string, ...conditions: object[]) => {
    const { total, matched } = await ask(own, rules.try, { body: { event, conditions, actions: [note] } })
    return [total, matched]
  }
  const whileOpen = { field: 'status', is: true, values: ['open'] }
  const ofAna = () => ({ field: 'userId', is: true, values: [ana.id] })
  const acted = async (event: string) => {
    const body = { name: event, isActive: true, event, actions: [note] }
    const { id } = await ask(own, rules.create, { body })
    return async () => (await ask(own, rules.runs, { params: { id } })).items.length as number
  }

  it('who is given a ticket by distribution has it from then on, until it is taken from them', async () => {
    const runs = await acted('assigned')
    await product().platform.db.write(at, (db) => db.updateTable('queues').set({ distribution: 'B' }).execute())
    const from = nobody()
    await says(from, 'Oi')
    await distributeWaiting(product().platform, at)
    expect([await runs(), await tried('assigned', whileOpen, ofAna())]).toEqual([1, [1, 1]])
    await says(from, 'Alguém?')
    expect(await tried('received', whileOpen)).toEqual([2, 1])
    await ask(own, settings.set, { params: { key: 'returnAbsent' }, body: { value: 'enabled' } })
    await product().platform.db.write(at, async (db) => {
      await sql`update users set is_online = false where id = ${ana.id}`.execute(db)
      const since = new Date(Date.now() - DAY_MS)
      await sql`update users set left_at = ${since} where id = ${ana.id}`.execute(db)
      await sql`update tickets set waiting_since = ${since}`.execute(db)
    })
    await distributeWaiting(product().platform, at)
    await says(from, 'Oi?')
    expect(await tried('received', whileOpen)).toEqual([3, 1])
  })

  it('who is given one by a flow that distributes', async () => {
    const runs = await acted('assigned')
    const { id } = await ask(own, flows.create, { body: { name: 'Recepção' } })
    const gives = { autoDistributeTickets: { type: 'R' } }
    await ask(own, flows.import, {
      params: { id },
      body: flowOf([node('a', [sends('Oi')], [any(toQueue(queue))])], gives),
    })
    await ask(own, flows.publish, { params: { id } })
    await product().platform.db.asPlatform((db) =>
      db.updateTable('connections').set({ chat_flow_id: id }).where('id', '=', connection).execute(),
    )
    const from = nobody()
    await says(from, 'Oi')
    await says(from, 'Vendas')
    expect([await runs(), await tried('assigned', whileOpen, ofAna())]).toEqual([1, [1, 1]])
  })

  it('what is set outright, to somebody or closed', async () => {
    const [given, closed] = [await acted('assigned'), await acted('closed')]
    const [one, other] = [nobody(), nobody()]
    for (const from of [one, other]) await says(from, 'Oi')
    await move(tickets.force, one, { status: 'open', userId: ana.id })
    await move(tickets.force, other, { status: 'closed' })
    expect([await given(), await tried('assigned', whileOpen, ofAna())]).toEqual([1, [1, 1]])
    expect([await closed(), await tried('closed')]).toEqual([1, [1, 1]])
    await says(one, 'Alguém?')
    expect(await tried('received', whileOpen)).toEqual([3, 1])
  })

  it('what is written on the phone itself, and nothing that was scheduled or that the product says', async () => {
    const runs = await acted('sent')
    const from = nobody()
    await says(from, 'Oi')
    await happens({ ...textEvent({ from, body: 'Já vejo' }), type: 'echo' })
    const contact_id = await product().platform.db.read(at, async (db) => {
      const found = await db.selectFrom('tickets').select('contact_id').executeTakeFirstOrThrow()
      return found.contact_id
    })
    const greeting = { connectionId: connection, contactIds: [contact_id], file: null, sendType: 'birthday' }
    await unit(product().platform, { tenantId: at, user: null }, (ctx) =>
      writeToContacts(ctx, { ...greeting, body: 'Feliz aniversário' }),
    )
    const { id: ticketId } = await ticketOf(from)
    const scheduled = { from_me: true, user_id: ana.id, status: 'sent', schedule_date: new Date() }
    await m().message(at, ticketId, scheduled)
    expect([await runs(), await tried('sent')]).toEqual([1, [1, 1]])
  })
})
