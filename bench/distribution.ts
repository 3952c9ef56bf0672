import { sql } from 'kysely'
import { type Candidate, distribute, type WaitingTicket } from '#domain/distribution/distribute.ts'
import { distributeWaiting } from '#features/distribution/server/run.ts'
import { make } from '#test/make.ts'
import type { Product } from '#test/product.ts'
import { closedLoop, type Measure, percentiles } from './loop.ts'

const WAITING = 1000
const PEOPLE = 200
const QUEUES = 10
const ROUNDS = 7

const queuesOf = <Q>(queues: readonly Q[], n: number): Q[] => [0, 1, 2].map((next) => queues[(n + next) % QUEUES]!)

/** Measures the distribution decision alone: 1,000 waiting tickets for 200 people in ten queues. */
export function measureDecision(): Promise<Measure> {
  const queueIds = Array.from({ length: QUEUES }, (_, n) => n + 1)
  const people = Array.from({ length: PEOPLE }, (_, n): Candidate => {
    const known = { id: n + 1, name: `P${n}`, email: '', connectionIds: [], turn: n, absence: null }
    return { ...known, queueIds: queuesOf(queueIds, n), open: n % 6, capacity: 10 }
  })
  const waiting = Array.from({ length: WAITING }, (_, n): WaitingTicket => {
    const queueId = (n % QUEUES) + 1
    return { id: n, queueId, connectionId: 1, owners: [], since: n, queueSince: n, visited: [queueId] }
  })
  const rule = { mode: 'B', overflowQueueId: null, overflowMinutes: null } as const
  const queues = new Map(queueIds.map((id) => [id, rule]))
  return closedLoop(1, async () => {
    distribute(waiting, people, { queues, noQueue: 'N', now: 10_000, seed: 1 })
  })
}

/**
 * Measures the distribution of all waiting tickets, until each has an owner, a log entry, and events to everybody who sees
 * it.
 */
export async function measureDistribution({ platform }: Product, refresh: () => Promise<void>): Promise<Measure> {
  const m = make(platform)
  const tenantId = await m.tenant('Distribuição')
  const queues: number[] = []
  for (let n = 0; n < QUEUES; n++) queues.push(await m.queue(tenantId, { distribution: 'B' }))
  const connectionId = await m.connection(tenantId, { type: 'test' })
  for (let n = 0; n < PEOPLE; n++) await m.person(tenantId, { queues: queuesOf(queues, n) })
  // The product leaves to us what is no active company's.
  await platform.db.asPlatform((db) =>
    db.updateTable('tenants').set({ status: 'inactive' }).where('id', '=', tenantId).execute(),
  )
  await platform.db.write(tenantId, async (db) => {
    await sql`update users set is_online = true`.execute(db)
    await sql`insert into contacts (tenant_id, name, number)
      select app.tenant(), 'Cliente ' || n, '5511' || (900000000 + n) from generate_series(1, ${WAITING}) n`.execute(db)
    await sql`insert into tickets (tenant_id, status, queue_id, connection_id, contact_id, conversation_key, channel, last_message_at, updated_at)
      select tenant_id, 'pending', (${queues}::bigint[])[1 + id % ${QUEUES}], ${connectionId}, id, number, 'test', app.now(), app.now()
      from contacts`.execute(db)
  })
  const delays: number[] = []
  while (delays.length < ROUNDS) {
    await platform.db.write(tenantId, async (db) => {
      await sql`update tickets set status = 'pending', user_id = null, started_attendance_at = null`.execute(db)
      for (const table of ['ticket_waits', 'ticket_logs', 'notifications', 'distribution_turns'])
        await sql`delete from ${sql.table(table)}`.execute(db)
    })
    await refresh()
    const began = performance.now()
    await distributeWaiting(platform, tenantId)
    delays.push(performance.now() - began)
    const { rows } = await platform.db.read(tenantId, (db) =>
      sql<{ n: number }>`select count(*)::int as n from tickets where user_id is not null`.execute(db),
    )
    if (rows[0]?.n !== WAITING) throw new Error(`${rows[0]?.n} of ${WAITING} tickets were given`)
  }
  const figures = percentiles(delays)
  return { perSecond: 1000 / figures.p50, ...figures }
}
