import { type RawBuilder, sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { USUAL_WEEK } from '#domain/calendar/business-hours.ts'
import { tenantsWithClocks } from '#features/ledger/server/clocks/queries.ts'
import { ingestIdle } from '#features/ledger/server/ingest/ingest.ts'
import { receive } from '#features/ledger/server/ingest/journal.ts'
import { messages } from '#features/messages/contract.ts'
import { tickets } from '#features/tickets/contract.ts'
import type { CallInput, Operation } from '#kit/contract.ts'
import { readChanges } from '#server/realtime/bus.ts'
import { make, type Person } from '#test/make.ts'
import { testChannel, textEvent } from '#test/peers/channel.ts'
import { roundTripsOf } from '#test/round-trips.ts'
import { call, ownProduct, type Reply } from '#test/server.ts'
import { until } from '#test/until.ts'
import { slaPolicies } from './contract.ts'
import { countClocks } from './server/count.ts'
import { followClocks } from './server/follow.ts'

// A process that serves and does not work: what is counted here, the tests count. A Monday, 09:00 in São Paulo.
const MONDAY = Date.parse('2026-03-02T09:00:00-03:00')
const MINUTE = 60_000
let at = MONDAY
let atCheckpoint: ((name: string) => void | Promise<void>) | undefined
const product = ownProduct('its clock is set to a day', {
  ...{ env: { ROLES: ['web'] }, now: () => new Date(at), checkpoint: (name) => atCheckpoint?.(name) },
})
const m = () => make(product().platform)

let tenantId: number
let queue: number
let connection: number
let admin: Person
let ana: Person

beforeEach(async () => {
  at = MONDAY
  testChannel(product().platform)
  tenantId = await m().tenant()
  queue = await m().queue(tenantId)
  connection = await m().connection(tenantId, { queue_id: queue })
  admin = await m().person(tenantId, { profile: 'admin', name: 'Adele' })
  ana = await m().person(tenantId, { name: 'Ana', queues: [queue] })
})

type Body = {
  id: number
  name: string
  error: string
  details: Record<string, string>
  items: Body[]
  position: number
} & {
  tickets: { id: number; sla: { state: string } | null }[]
  queues: { id: number; name: string | null }[]
}
const ask = <O extends Operation>(who: Person, op: O, input: Partial<CallInput<O>> = {}) =>
  call(product(), op, who.token, input) as unknown as Promise<Reply<Body>>
const policy = async (row: object = {}) =>
  (
    await ask(admin, slaPolicies.create, {
      body: { name: `P${Math.random()}`, isActive: true, firstMinutes: 60, nextMinutes: 30, ...row },
    })
  ).body.id
const count = () => countClocks(product().platform, tenantId)
const write = (change: Parameters<ReturnType<typeof product>['platform']['db']['write']>[1]) =>
  product().platform.db.write(tenantId, change)
const inMinutes = (minutes: number) => {
  at = MONDAY + minutes * MINUTE
}
const read = <T>(query: ReturnType<typeof sql<T>>) =>
  product().platform.db.read(tenantId, async (db) => (await query.execute(db)).rows)
const slaOf = async (id: number): Promise<{ state: string | null; clock: string | null; due: number | null }> => {
  const [row] = await read(sql<{ state: string | null; clock: string | null; due: Date | null }>`
    select sla_state as state, sla_clock as clock, sla_due_at as due from tickets where id = ${id}`)
  const { state, clock, due } = row!
  return { state, clock, due: due && (due.getTime() - MONDAY) / MINUTE }
}
// A login of the beginning does not hold for so long.
const boss = () => m().person(tenantId, { profile: 'admin' })
let said = 0
async function customerWrites(from = '5511988887777'): Promise<number> {
  const event = textEvent({ from, body: `Olá ${++said}`, at })
  await receive(product().platform, { tenantId, connectionId: connection }, [event])
  await ingestIdle(product().platform)
  const [row] = await read(sql<{ id: number }>`select max(id) as id from tickets`)
  return row!.id
}
const answer = async (id: number) => {
  const body = { body: 'Já vejo', idFront: crypto.randomUUID() }
  const sent = await ask(await boss(), messages.send, { params: { ticketId: id }, body } as never)
  expect(sent.status).toBe(200)
}
type Told = { clock: string; isMissed: boolean; publishedAt: number }
const alarms = async () => {
  const changes = await product().platform.db.read(tenantId, (db) => readChanges(db, 0, Number.MAX_SAFE_INTEGER, 1000))
  return changes.filter(({ type }) => type === 'ticket:due')
}
const told = async (): Promise<[string, boolean, number[]][]> =>
  (await alarms()).map(({ payload, audience }) => {
    const { clock, isMissed } = payload as Told
    return [clock, isMissed, (audience as unknown as { ids: number[] }).ids.toSorted((a, b) => a - b)]
  })

describe('clocks of tickets', () => {
  it('are counted by one process at a time: what one is about to tell, another does not tell too', async () => {
    await policy()
    const id = await customerWrites()
    await ask(ana, tickets.update, { params: { id }, body: { status: 'open', userId: ana.id } })
    await count()
    inMinutes(48)
    const counted = Promise.withResolvers<void>()
    const commits = Promise.withResolvers<void>()
    atCheckpoint = (name) => {
      if (name !== 'clocks counted') return
      atCheckpoint = undefined
      counted.resolve()
      return commits.promise
    }
    const first = count()
    await counted.promise
    const second = count()
    const waits = () =>
      product().platform.db.asPlatform((db) =>
        sql<object>`
          select from pg_locks l join pg_database d on d.oid = l.database
          where not l.granted and l.locktype = 'advisory' and d.datname = current_database()`.execute(db),
      )
    await until(async () => (await waits()).rows.length > 0).finally(commits.resolve)
    await Promise.all([first, second])
    expect(await told()).toEqual([['first', false, [ana.id]]])
  })

  it('run from the first word: at risk for the owner, missed for leads too, told once each; over with the answer', async () => {
    await policy()
    await count()
    const id = await customerWrites()
    await ask(ana, tickets.update, { params: { id }, body: { status: 'open', userId: ana.id } })
    await count()
    expect(await slaOf(id)).toEqual({ state: 'running', clock: 'first', due: 60 })
    inMinutes(48)
    await Promise.all([count(), count()])
    await count()
    expect(await slaOf(id)).toMatchObject({ state: 'warned' })
    expect(await told()).toEqual([['first', false, [ana.id]]])
    inMinutes(61)
    await Promise.all([count(), count()])
    expect(await slaOf(id)).toMatchObject({ state: 'missed' })
    expect((await told())[1]).toEqual(['first', true, [admin.id, ana.id].toSorted((a, b) => a - b)])
    expect((await alarms()).map(({ payload }) => ((payload as Told).publishedAt - MONDAY) / MINUTE)).toEqual([48, 61])
    await answer(id)
    await count()
    expect(await slaOf(id)).toEqual({ state: null, clock: null, due: null })
    inMinutes(70)
    await customerWrites()
    await count()
    expect(await slaOf(id)).toEqual({ state: 'running', clock: 'next', due: 100 })
    expect(await told()).toHaveLength(2)
  })

  it('nobody’s are told to leads at once; who does not see the ticket hears nothing', async () => {
    await policy()
    await customerWrites()
    inMinutes(50)
    await count()
    expect(await told()).toEqual([['first', false, [admin.id]]])
  })

  it('that come due together are told to each person once each, with as few questions as one', async () => {
    await policy()
    const wait = (amount: number) =>
      Promise.all(
        Array.from({ length: amount }, (_, n) =>
          m().ticket(tenantId, {
            ...{ status: n % 2 ? 'pending' : 'open', user_id: n % 2 ? null : ana.id, queue_id: queue },
            ...{ waiting_since: new Date(at), created_at: new Date(at) },
          }),
        ),
      )
    const few = await wait(2)
    await count()
    inMinutes(61)
    const first = await roundTripsOf(product(), count)
    const many = await wait(40)
    await count()
    inMinutes(122)
    const second = await roundTripsOf(product(), count)
    expect(second.length).toBe(first.length)
    const missed = (await alarms()).map(({ payload }) => (payload as unknown as { id: number }).id)
    expect(missed.toSorted((a, b) => a - b)).toEqual([...few, ...many].toSorted((a, b) => a - b))
    const both = [admin.id, ana.id].toSorted((a, b) => a - b)
    for (const [, isMissed, ids] of await told())
      expect([isMissed, ids.length === 1 ? [admin.id] : ids]).toEqual([true, ids.length === 1 ? [admin.id] : both])
  })

  it('stand while paused, and go on with what was counted', async () => {
    await m().setting(tenantId, 'allowPause')
    await policy({ firstMinutes: null, nextMinutes: null, solutionMinutes: 100 })
    const id = await customerWrites()
    await ask(ana, tickets.update, { params: { id }, body: { status: 'open', userId: ana.id } })
    inMinutes(30)
    const pause = (paused_at: Date | null) =>
      write((db) => db.updateTable('tickets').set({ paused_at }).where('id', '=', id).execute())
    await pause(new Date(at))
    inMinutes(60)
    await pause(null)
    // Counted late, it is as exact as at once.
    inMinutes(80)
    await count()
    expect(await slaOf(id)).toEqual({ state: 'running', clock: 'solution', due: 130 })
    await ask(await boss(), tickets.update, { params: { id }, body: { status: 'closed' } })
    await count()
    expect(await slaOf(id)).toMatchObject({ state: null })
  })

  it('are judged by the first policy that matches, at the start and at another queue; what was counted is kept', async () => {
    const other = await m().queue(tenantId)
    await policy({ queueIds: [other], firstMinutes: 20 })
    await policy({ queueIds: [queue], firstMinutes: 60 })
    const id = await customerWrites()
    await count()
    expect(await slaOf(id)).toMatchObject({ due: 60 })
    inMinutes(10)
    await ask(admin, tickets.update, { params: { id }, body: { queueId: other, isTransference: true } })
    await count()
    expect(await slaOf(id)).toMatchObject({ state: 'running', due: 20 })
  })

  it('are counted anew when a policy, the hours or a holiday change, page by page, and forgotten with the last policy', async () => {
    const id = await policy({ firstMinutes: 240 })
    const waiting = await m().ticket(tenantId, {
      status: 'pending',
      queue_id: queue,
      waiting_since: new Date(at),
      created_at: new Date(at),
    })
    for (let n = 0; n < 205; n++)
      await m().ticket(tenantId, { status: 'pending', queue_id: queue, waiting_since: new Date(at) })
    await count()
    expect(await slaOf(waiting)).toMatchObject({ due: 240 })
    await m().setting(tenantId, 'businessHours', JSON.stringify(USUAL_WEEK))
    await count()
    // 09:00 to 12:00, and from 14:00 the fourth hour.
    expect(await slaOf(waiting)).toMatchObject({ due: 360 })
    await m().setting(
      tenantId,
      'holidays',
      JSON.stringify([{ date: '2026-03-02', description: 'Feriado', active: true }]),
    )
    await count()
    expect(await slaOf(waiting)).toMatchObject({ due: 27 * 60 })
    await ask(admin, slaPolicies.update, { params: { id }, body: { firstMinutes: 60 } })
    await count()
    expect(await slaOf(waiting)).toMatchObject({ due: 24 * 60 })
    const due = () => read(sql<{ n: number }>`select count(*)::int as n from tickets where sla_due_at is not null`)
    expect(await due()).toEqual([{ n: 206 }])
    await ask(admin, slaPolicies.update, { params: { id }, body: { isActive: false } })
    await count()
    expect(await due()).toEqual([{ n: 0 }])
    expect(await read(sql`select from ticket_clocks`)).toEqual([])
    // Without a policy, no clock is recorded.
    await customerWrites()
    expect(await read(sql`select from sla_changes`)).toEqual([])
  })

  it('are looked at where there is something to count: of many idle companies one question is asked, and no more', async () => {
    const { platform } = product()
    const due = async (): Promise<number[]> => {
      const found = await platform.db.askAsPlatform((db) => tenantsWithClocks(db, new Date(at)))
      return found.filter(({ id, isDue }) => isDue && idle.includes(id)).map(({ id }) => id)
    }
    const idle: number[] = []
    const write = (id: number, change: RawBuilder<unknown>) => platform.db.write(id, (db) => change.execute(db))
    const aPolicy = sql`insert into sla_policies (tenant_id, name, is_active, position, first_minutes, created_at, updated_at)
      values (app.tenant(), 'P', true, 1, 60, app.now(), app.now())`
    for (let n = 0; n < 20; n++) {
      idle.push(await m().tenant())
      await m().queue(idle[n]!, { business_hours: JSON.stringify(USUAL_WEEK) })
      await write(idle[n]!, aPolicy)
    }
    expect((await due()).toSorted()).toEqual(idle.toSorted())
    for (const id of idle) await countClocks(platform, id)
    expect(await due()).toEqual([])
    const holiday = JSON.stringify([{ date: '2026-03-03', description: 'Feriado', active: true }])
    const [ticketed] = idle
    const changes: ((id: number) => Promise<unknown>)[] = [
      (id) => m().ticket(id, { status: 'pending', waiting_since: new Date(at) }),
      (id) => m().setting(id, 'businessHours', JSON.stringify(USUAL_WEEK)),
      (id) => m().setting(id, 'holidays', holiday),
      (id) => write(id, sql`update queues set business_hours = '[]'`),
      (id) => write(id, sql`update sla_policies set first_minutes = 30`),
      (id) => write(id, sql`update sla_policies set is_active = false`),
    ]
    const isDueUntilCounted = async (id: number, what: string) => {
      expect(await due(), what).toEqual([id])
      await countClocks(platform, id)
      expect(await due(), what).toEqual([])
    }
    for (const [n, change] of changes.entries()) {
      await change(idle[n]!)
      await isDueUntilCounted(idle[n]!, String(change))
    }
    inMinutes(50)
    await isDueUntilCounted(ticketed!, 'time alone')
    // A ticket changed by another process remains due until this process knows the change.
    const moved = idle.at(-1)!
    await platform.db.asPlatform((db) =>
      sql`update tenants set timezone = 'America/Manaus' where id = ${moved}`.execute(db),
    )
    await countClocks(platform, moved)
    platform.bus.stale(`settings ${moved}`)
    await isDueUntilCounted(moved, 'a zone')
    const worker = { ...platform, env: { ...platform.env, ROLES: ['worker'] } } as typeof platform
    const asked = await roundTripsOf(product(), async () => {
      const stop = await followClocks(worker)
      await stop()
    })
    expect(asked).toEqual([[expect.stringContaining('sla_counted')]])
  })

  it('tell of nothing that stays: done again, nothing changes', async () => {
    await policy()
    await customerWrites()
    await count()
    const seq = () => read(sql<{ n: number }>`select count(*)::int as n from changes`)
    const before = await seq()
    await count()
    expect(await seq()).toEqual(before)
  })

  it('order a list, and narrow it to what is at risk or missed', async () => {
    await policy()
    const [late, risky, fine] = [
      await customerWrites('5511911110001'),
      await customerWrites('5511911110002'),
      await customerWrites('5511911110003'),
    ]
    const plain = await m().ticket(tenantId, { status: 'pending', queue_id: queue, is_group: true })
    const due = (id: number, minutes: number, sla_state: string) =>
      write((db) =>
        db
          .updateTable('tickets')
          .set({ sla_state, sla_clock: 'first', sla_since: new Date(at), sla_due_at: new Date(at + minutes * MINUTE) })
          .where('id', '=', id)
          .execute(),
      )
    await due(fine, 30, 'running')
    await due(risky, 5, 'warned')
    await due(late, -5, 'missed')
    const ids = async (query: object) => (await ask(ana, tickets.list, { query })).body.tickets.map(({ id }) => id)
    const all = await ids({ dueFirst: true, showAll: true })
    expect(all.filter((id) => id !== plain)).toEqual([late, risky, fine])
    expect(await ids({ sla: 'missed' })).toEqual([late])
    expect(await ids({ sla: 'warned', count: true })).toEqual([risky])
    expect((await ask(ana, tickets.list, { query: { sla: 'running' } } as never)).status).toBe(400)
  })
})

describe('policies', () => {
  it('are written by administrators and read by supervisors; what they name has to be there, and at least one time', async () => {
    const body = { name: 'Comercial', firstMinutes: 15, queueIds: [queue] }
    expect((await ask(ana, slaPolicies.create, { body })).status).toBe(403)
    const lead = await m().person(tenantId, { profile: 'super' })
    expect((await ask(lead, slaPolicies.list)).status).toBe(200)
    expect((await ask(lead, slaPolicies.create, { body })).status).toBe(403)
    const made = (await ask(admin, slaPolicies.create, { body })).body
    expect(made).toMatchObject({ isActive: false, position: 1, warnPercent: 80, queues: [{ id: queue }] })
    expect((await ask(admin, slaPolicies.create, { body: { ...body, queueIds: [999_999] } })).body.error).toBe(
      'ERR_NO_QUEUE_FOUND',
    )
    const nothing = await ask(admin, slaPolicies.update, { params: { id: made.id }, body: { firstMinutes: null } })
    expect(nothing.body.details).toEqual({ firstMinutes: 'Informe ao menos um dos prazos.' })
    // A deleted reference keeps its name, and is shown as deleted.
    await write((db) =>
      db
        .deleteFrom('queues')
        .where('id', '=', queue)
        .execute()
        .catch(() => db.updateTable('connections').set({ queue_id: null }).execute()),
    )
    expect((await ask(admin, slaPolicies.update, { params: { id: made.id }, body: { name: 'Vendas' } })).status).toBe(
      200,
    )
    const second = await policy()
    await ask(admin, slaPolicies.arrange, { body: { ids: [second, made.id] } })
    expect((await ask(admin, slaPolicies.list)).body.items.map(({ id }) => id)).toEqual([second, made.id])
    expect((await ask(admin, slaPolicies.remove, { params: { id: second } })).status).toBe(200)
    expect((await ask(admin, slaPolicies.get, { params: { id: second } })).body.error).toBe('ERR_NO_SLA_FOUND')
    await write((db) =>
      sql`insert into sla_policies (tenant_id, name, position, first_minutes, created_at, updated_at)
        select app.tenant(), 'P' || n, n, 60, app.now(), app.now() from generate_series(2, 48) n`.execute(db),
    )
    const add = (_: unknown, n: number) =>
      ask(admin, slaPolicies.create, { body: { ...body, name: `Última ${n}`, queueIds: [] } })
    const replies = await Promise.all(Array.from({ length: 20 }, add))
    expect(replies.map(({ status, body: { error } }) => error ?? status).sort()).toEqual([
      ...[200, 200],
      ...Array.from({ length: 18 }, () => 'ERR_MAX_SLA'),
    ])
  })
})
