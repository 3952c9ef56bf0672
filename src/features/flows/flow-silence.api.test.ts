import pg from 'pg'
import { beforeAll, expect, it } from 'vitest'
import type { FlowSession } from '#domain/flow/session.ts'
import type { Postponed } from '#domain/flow/silence.ts'
import { wakeIngest } from '#features/ledger/server/ingest/ingest.ts'
import { appendJournal } from '#features/ledger/server/journal/journal-queries.ts'
import { any, flowOf, goTo, type Json, node, sends, toQueue, when } from '#test/flow-steps.ts'
import { flowCompany, flowTalk } from '#test/flow-talk.ts'
import { make } from '#test/make.ts'
import { textEvent } from '#test/peers/channel.ts'
import { withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { timerJob } from './server/jobs.ts'

const product = withProduct()
const _m = () => make(product().platform)
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

let tenantId: number
let connectionId: number
let queueId: number
let admin: string
beforeAll(async () => {
  ;({ tenantId, connectionId, queueId, admin } = await flowCompany(product()))
  const silent = { notResponseMessage: { time: 60, type: 3, destiny: 'Até logo' } }
  const nodes = [
    node('a', [sends('Oi')], [when(['1'], goTo('b'))]),
    node('b', [sends('Certo')], [any(toQueue(queueId))]),
  ]
  await attending(flowOf(nodes, silent))
})

const { write, ticketOf, saidTo, nextPhone, attending } = flowTalk(product, () => ({ tenantId, connectionId, admin }))
const connectionIs = (row: Json) =>
  product().platform.db.asPlatform((db) =>
    db.updateTable('connections').set(row).where('id', '=', connectionId).execute(),
  )
const ago = (ms: number) => new Date(product().platform.now().getTime() - ms)
/** Sets the status of the connection, and the time since its last connect. */
const stands = (status: string, ms: number) => connectionIs({ status, connected_at: ago(ms) })

/** Creates a contact whom the flow has asked, on a connection that has long been up; `lateMs`: time since the answer was due. */
async function asked(
  lateMs: number,
  askedMs = HOUR_MS / 2,
): Promise<{ from: string; sessionId: string; timerId: string }> {
  await stands('CONNECTED', HOUR_MS)
  const from = nextPhone()
  await write(from, 'oi')
  const { id } = await ticketOf(from)
  return product().platform.db.asPlatform(async (db) => {
    const row = await db
      .selectFrom('flow_sessions')
      .select(['id', 'state'])
      .where('ticket_id', '=', id)
      .executeTakeFirstOrThrow()
    const state = row.state as unknown as FlowSession
    const timers = state.timers.map((timer) => ({ ...timer, at: ago(lateMs).getTime() }))
    await db
      .updateTable('flow_sessions')
      .set({ state: JSON.stringify({ ...state, timers }), updated_at: ago(askedMs) })
      .where('id', '=', row.id)
      .execute()
    return { from, sessionId: row.id, timerId: timers[0]!.id }
  })
}

/** Fires the timer; returns payload and delay (minutes) of its repetition, null if there is none. */
async function ring({ sessionId, timerId }: { sessionId: string; timerId: string }, postponed?: Postponed) {
  const owner = new pg.Client({ connectionString: product().ownerUrl })
  await owner.connect()
  const jobs = async () => {
    const read = 'select key, payload, run_at from graphile_worker._private_jobs where key like $1'
    return (await owner.query(read, [`flow:${tenantId}:${timerId}%`])).rows
  }
  try {
    const seen = new Set((await jobs()).map((one) => JSON.stringify(one)))
    await timerJob.run(product().platform, { tenantId, sessionId, timerId, postponed }, { requireOwnership: () => {} })
    const [next] = (await jobs()).filter((one) => !seen.has(JSON.stringify(one)))
    if (!next) return null
    return {
      postponed: next.payload.postponed as Postponed,
      minutes: Math.round((next.run_at.getTime() - product().platform.now().getTime()) / MINUTE_MS),
    }
  } finally {
    await owner.end()
  }
}

it('who says nothing while everything is up is silent', async () => {
  const one = await asked(0)
  expect(await ring(one)).toBeNull()
  expect(await ticketOf(one.from)).toMatchObject({ status: 'closed' })
  expect(await saidTo(one.from)).toEqual(['Oi', 'Até logo'])
})

it('who has answered is not silent, though their word is still to be worked on', async () => {
  const [one, other] = [await asked(0), await asked(0)]
  const event = textEvent({ from: one.from, body: '1' })
  const row = { id: crypto.randomUUID(), connectionId, dedupeKey: event.dedupeKey, payload: event }
  const writer = new pg.Client({ connectionString: product().ownerUrl })
  await writer.connect()
  // Another process is the tenant's writer.
  await writer.query('select pg_advisory_lock(7204, $1)', [tenantId])
  await appendJournal(product().platform.db, tenantId, [row], product().platform.now())
  expect(await ring(one)).toMatchObject({ minutes: 1 })
  expect(await ring(other)).toBeNull()
  await writer.end()
  wakeIngest(product().platform, tenantId)
  await until(async () => (await saidTo(one.from)).includes('Certo'))
  expect(await ring(one)).toBeNull()
  expect([await ticketOf(one.from), await ticketOf(other.from)]).toMatchObject([
    { status: 'pending' },
    { status: 'closed' },
  ])
})

it('nobody is silent while the connection is away, nor in the minute in which it is back; after a day they are', async () => {
  const one = await asked(0)
  await stands('TIMEOUT', HOUR_MS)
  const first = (await ring(one))!
  expect(first.minutes).toBe(1)
  // The longer the connection is away, the longer the interval.
  const since = ago(10 * HOUR_MS).getTime()
  expect(await ring(one, { ...first.postponed, since })).toMatchObject({ minutes: 60 })
  await stands('CONNECTED', 0)
  expect(await ring(one, first.postponed)).toMatchObject({ minutes: 1 })
  expect(await ticketOf(one.from)).toMatchObject({ status: 'pending' })
  await stands('CONNECTED', 2 * MINUTE_MS)
  expect(await ring(one, first.postponed)).toBeNull()
  expect(await ticketOf(one.from)).toMatchObject({ status: 'closed' })

  const forGood = await asked(0)
  await stands('DISCONNECTED', HOUR_MS)
  expect(await ring(forGood, { ...first.postponed, since: ago(25 * HOUR_MS).getTime() })).toBeNull()
  expect(await ticketOf(forGood.from)).toMatchObject({ status: 'closed' })
})

it('who was asked since the connection is there is silent in time, however short that is', async () => {
  const one = await asked(0, 5000)
  await stands('CONNECTED', 10_000)
  expect(await ring(one)).toBeNull()
  expect(await ticketOf(one.from)).toMatchObject({ status: 'closed' })
})

it('a time in which nothing was at work is nobody’s silence: they have a minute more, once', async () => {
  const one = await asked(15 * MINUTE_MS)
  const next = (await ring(one))!
  expect(next.minutes).toBe(1)
  expect(await ticketOf(one.from)).toMatchObject({ status: 'pending' })
  expect(await ring(one, next.postponed)).toBeNull()
  expect(await ticketOf(one.from)).toMatchObject({ status: 'closed' })
})
