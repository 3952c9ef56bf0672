import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { expect, it, type TestContext } from 'vitest'
import { make } from '#test/make.ts'
import { createDatabase, startProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { query, startChild, startPeer, stop } from './processes.ts'

const TICKETS = 210

/**
 * Creates a company with many tickets of one person, whose customers are asked for a rating, and a product that can be
 * killed.
 */
async function start({ onTestFinished }: TestContext) {
  const databaseUrl = await createDatabase()
  const dataDir = mkdtempSync(join(tmpdir(), 'guiche-bulk-'))
  const peer = await startPeer()
  let child: Awaited<ReturnType<typeof startChild>> | null = null
  onTestFinished(async () => {
    await stop(child)
    await peer.close()
    rmSync(dataDir, { recursive: true, force: true })
  })
  const product = await startProduct({}, databaseUrl)
  const m = make(product.platform)
  const tenantId = await m.tenant()
  const connectionId = await m.connection(tenantId, { type: 'test' })
  const contactId = await m.contact(tenantId)
  const user = await m.user(tenantId, { profile: 'admin' })
  const token = await m.token(user)
  await m.setting(tenantId, 'ratingStoreUse')
  await product.close()
  const rows = <R extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
    query(databaseUrl, async (client) => (await client.query<R>(text, values)).rows)
  const made = await rows<{ id: string }>(
    `insert into tickets (tenant_id, status, user_id, connection_id, contact_id, conversation_key, channel, last_message_received_at)
      select $1, 'open', $2, $3, $4, 'k' || n, 'test', now() from generate_series(1, $5::int) n returning id`,
    [tenantId, user.id, connectionId, contactId, TICKETS],
  )
  const ids = made.map(({ id }) => Number(id))

  let deaths = 0
  const launch = async (crashAt: string) => {
    await stop(child)
    child = await startChild({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir, PEER_URL: peer.url, CRASH_AT: crashAt })
  }
  const ask = async (path: string, body: object = {}) => {
    const response = await fetch(`${child!.address}/api${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    })
    return (await response.json()) as { id: string }
  }
  const died = () => until(() => child!.process.signalCode === 'SIGKILL').then(() => void deaths++)
  /** Starts the product until it has died so often at this point. */
  const dieAgain = async (crashAt: string, times: number) => {
    while (deaths < times) {
      await launch(crashAt)
      await died()
    }
    await launch('')
  }
  const logsOf = (type: string) =>
    rows<{ n: number; tickets: number }>(
      'select count(*)::int as n, count(distinct ticket_id)::int as tickets from ticket_logs where type = $1',
      [type],
    )
  const reaches = (status: string) =>
    until(async () => (await rows('select from bulk_operations where status = $1', [status])).length === 1)
  return { ids, ask, launch, died, dieAgain, rows, logsOf, reaches, peer }
}

it.for(['bulk block written', 'bulk block committed'])(
  'killed at: %s (twice), an operation on many tickets goes on where it was, and nothing happens twice',
  { timeout: 90_000 },
  async (point, context) => {
    const world = await start(context)
    await world.launch(point)
    await world.ask('/tickets/bulk', { ids: world.ids, action: 'close' })
    await world.died()
    await world.dieAgain(point, 2)
    await world.reaches('done')
    expect(await world.logsOf('closed')).toEqual([{ n: TICKETS, tickets: TICKETS }])
    expect(await world.rows("select from tickets where status = 'closed'")).toHaveLength(TICKETS)
    expect(await world.rows("select from bulk_items where status = 'done'")).toHaveLength(TICKETS)
  },
)

it('killed in the middle of an undo, all of it is taken back, once', {
  timeout: 90_000,
}, async (context) => {
  const world = await start(context)
  await world.launch('bulk block undone')
  const { id } = await world.ask('/tickets/bulk', { ids: world.ids, action: 'close' })
  await world.reaches('done')
  await world.ask(`/bulk/${id}/undo`).catch(() => {})
  await world.died()
  await world.launch('')
  await world.reaches('undone')
  expect(await world.logsOf('undo')).toEqual([{ n: TICKETS, tickets: TICKETS }])
  expect(await world.rows("select from tickets where status = 'open' and revision = 0")).toHaveLength(TICKETS)
})

it('killed while customers are told, each is told once', { timeout: 90_000 }, async (context) => {
  const world = await start(context)
  await world.launch('bulk block final')
  await world.ask('/tickets/bulk', { ids: world.ids, action: 'close' })
  await world.reaches('done')
  // The time for an undo is over.
  await world.rows("update bulk_operations set undo_until = now() - interval '1 second'")
  await world.rows(
    "update graphile_worker._private_jobs set run_at = now() where key like 'bulk:finalize:%' returning pg_notify('jobs:insert', '{}')",
  )
  await world.died()
  await world.launch('')
  const asked = () => world.rows("select from ticket_evaluations where status = 'asked'")
  await until(async () => (await asked()).length === TICKETS)
  await until(() => Object.keys(world.peer.held).length === TICKETS)
  expect(Object.values(world.peer.held).every((messages) => messages.length === 1)).toBe(true)
})
