import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { it, type TestContext } from 'vitest'
import { enqueueSending } from '#features/ledger/server/outbox/outbox.ts'
import { unit } from '#server/context.ts'
import { make } from '#test/make.ts'
import { testChannel } from '#test/peers/channel.ts'
import { createDatabase, startProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { startChild, startPeer, stop } from './processes.ts'

const CONVERSATIONS = 24
/** Maximum time of a takeover: ten seconds of silence, five until the next check, and the work itself on a busy machine. */
const TAKEOVER_MS = 60_000

/** A process that serves people, one provider, and as many workers as are started. */
async function start(
  { onTestFinished }: TestContext,
  { answerMs, isIdempotent = true }: { answerMs: number; isIdempotent?: boolean },
) {
  const ends: (() => unknown)[] = []
  onTestFinished(async () => {
    for (const end of ends.reverse()) await end()
  })
  const databaseUrl = await createDatabase()
  const peer = await startPeer({ answerMs })
  const web = await startProduct({ env: { ROLES: ['web'] } }, databaseUrl)
  const dataDir = mkdtempSync(join(tmpdir(), 'guiche-workers-'))
  const owner = new pg.Client({ connectionString: databaseUrl })
  await owner.connect()
  // Locks of a process frozen within a transaction are released, too.
  await owner.query(
    `alter database ${new URL(databaseUrl).pathname.slice(1)} set idle_in_transaction_session_timeout = '5s'`,
  )
  ends.push(
    () => rmSync(dataDir, { recursive: true }),
    () => web.close(),
    () => owner.end(),
    () => peer.close(),
  )
  testChannel(web.platform)
  const m = make(web.platform)
  const tenantId = await m.tenant()
  const connectionId = await m.connection(tenantId, { type: 'test' })
  const tickets = await Promise.all(
    Array.from({ length: CONVERSATIONS }, () => m.ticket(tenantId, { channel: 'test', connection_id: connectionId })),
  )
  let counter = 0
  /** One reply in each conversation. */
  const reply = async () => {
    for (const ticketId of tickets) {
      counter++
      await m.message(tenantId, ticketId, { from_me: true, status: 'pending', body: `r${counter}` })
    }
    await unit(web.platform, { tenantId, user: null }, async (ctx) => {
      const rows = await ctx.db.selectFrom('tickets').select(['connection_id', 'conversation_key']).execute()
      for (const row of rows) enqueueSending(ctx, row)
    })
  }
  const worker = async (name: string, freezeAt = ''): Promise<ChildProcess> => {
    const child = await startChild({
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      PEER_URL: peer.url,
      ROLES: 'worker',
      WORKER: name,
      FREEZE_AT: freezeAt,
      IDEMPOTENT: isIdempotent ? 'yes' : 'no',
    })
    ends.push(() => stop(child))
    return child.process
  }
  const rows = async <R extends pg.QueryResultRow>(text: string): Promise<R[]> => (await owner.query<R>(text)).rows
  return {
    peer,
    reply,
    worker,
    rows,
    // A job that was replaced while its worker died stays behind, spent.
    isDone: async () =>
      (
        await rows(`select from messages where status in ('pending', 'queued') union all
          select from graphile_worker._private_jobs where is_available or locked_by is not null`)
      ).length === 0,
    statuses: async () => (await rows<{ status: string }>('select status from messages')).map((row) => row.status),
    /** Returns the number of times that a step occurs in each message's trail. */
    steps: async (step: string) =>
      (
        await rows<{ n: number }>(
          `select count(*)::int as n from message_trail where step = '${step}' group by message_id order by 1`,
        )
      ).map((row) => row.n),
  }
}

/** A process's state as the kernel has it: T when it is frozen. */
const stateOf = ({ pid }: ChildProcess) => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return stat[stat.lastIndexOf(')') + 2]
}

// Each waits for seconds of silence: side by side they take as long as one.
const once = (n: number) => Array.from({ length: n }, () => 1)

it.concurrent('two workers that are killed in turn: a living one goes on with what they held', async (test) => {
  const { expect } = test
  const { peer, reply, worker, isDone, statuses, steps } = await start(test, { answerMs: 700 })
  const first = await worker('first')
  const second = await worker('second')
  await reply()
  await until(() => peer.requests.some((r) => r.worker === 'first') && peer.requests.some((r) => r.worker === 'second'))
  first.kill('SIGKILL')
  await until(isDone, TAKEOVER_MS)
  await worker('third')
  const before = peer.requests.length
  await reply()
  await until(() => peer.requests.slice(before).some((r) => r.worker === 'second'))
  second.kill('SIGKILL')
  await until(isDone, TAKEOVER_MS)
  expect(new Set(await statuses())).toEqual(new Set(['sent']))
  expect(await steps('sent')).toEqual(once(2 * CONVERSATIONS))
  expect(Object.values(peer.held).flat()).toHaveLength(2 * CONVERSATIONS)
}, 180_000)

it.concurrent('a frozen worker loses its jobs to a living one, and when it wakes up it neither sends again nor records over it', async (test) => {
  const { expect } = test
  const { peer, reply, worker, isDone, statuses, steps, rows } = await start(test, { answerMs: 1500 })
  const frozen = await worker('frozen')
  await reply()
  await until(() => peer.requests.length >= 8)
  frozen.kill('SIGSTOP')
  await worker('living')
  const since = Date.now()
  await until(isDone, TAKEOVER_MS)
  expect(Date.now() - since).toBeGreaterThan(5000)
  const asked = peer.requests.length
  frozen.kill('SIGCONT')
  await reply()
  await until(isDone, TAKEOVER_MS)
  // Its work at the time of the freeze is not requested again; it continues under a new name.
  expect(new Set(peer.requests.slice(asked).map((r) => r.id)).size).toBe(CONVERSATIONS)
  expect(peer.requests.slice(asked)).toHaveLength(CONVERSATIONS)
  await until(async () => {
    await reply()
    await until(isDone, TAKEOVER_MS)
    return peer.requests.slice(asked).some((r) => r.worker === 'frozen')
  }, TAKEOVER_MS)
  expect(new Set(await statuses())).toEqual(new Set(['sent']))
  const sent = await steps('sent')
  expect(sent).toEqual(once(sent.length))
  expect(await rows('select from graphile_worker._private_job_queues where locked_by is not null')).toEqual([])
}, 180_000)

it.concurrent('where the provider cannot tell a repetition, what a frozen worker had in hand is said to be uncertain, once', async (test) => {
  const { expect } = test
  const { peer, reply, worker, isDone, statuses } = await start(test, { answerMs: 1500, isIdempotent: false })
  const frozen = await worker('frozen')
  await reply()
  await until(() => peer.requests.length >= 8)
  frozen.kill('SIGSTOP')
  await worker('living')
  await until(isDone, TAKEOVER_MS)
  frozen.kill('SIGCONT')
  await pause(3000)
  // No contact received a message twice.
  expect(Object.values(peer.requests.map((r) => r.id))).toHaveLength(CONVERSATIONS)
  expect(new Set(peer.requests.map((r) => r.id)).size).toBe(CONVERSATIONS)
  expect((await statuses()).every((status) => status === 'sent' || status === 'uncertain')).toBe(true)
}, 180_000)

it.concurrent('a worker that is frozen right before it sends does not send when it wakes up', async (test) => {
  const { expect } = test
  const { peer, reply, worker, isDone, statuses } = await start(test, { answerMs: 0, isIdempotent: false })
  const frozen = await worker('frozen', 'message claimed')
  await reply()
  await until(() => stateOf(frozen) === 'T')
  await worker('living')
  await until(isDone, TAKEOVER_MS)
  const uncertain = (await statuses()).filter((status) => status === 'uncertain').length
  expect(uncertain).toBeGreaterThan(0)
  const asked = peer.requests.length
  frozen.kill('SIGCONT')
  // It works again, and has not sent the messages that it had claimed.
  await until(async () => {
    await reply()
    await until(isDone, TAKEOVER_MS)
    return peer.requests.slice(asked).some((r) => r.worker === 'frozen')
  }, TAKEOVER_MS)
  expect((await statuses()).filter((status) => status === 'uncertain')).toHaveLength(uncertain)
  expect(new Set(peer.requests.map((r) => r.id)).size).toBe(peer.requests.length)
  expect(peer.requests).toHaveLength((await statuses()).length - uncertain)
}, 180_000)

it.concurrent('a worker that starts releases nothing that a living one holds', async (test) => {
  const { expect } = test
  const { peer, reply, worker, isDone, steps } = await start(test, { answerMs: 8000 })
  await worker('busy')
  await reply()
  await until(() => peer.requests.length >= 8)
  await worker('new')
  await until(isDone, 90_000)
  expect(await steps('attempt')).toEqual(once(CONVERSATIONS))
  expect(peer.requests).toHaveLength(CONVERSATIONS)
}, 180_000)
