import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { enqueueSending } from '#features/ledger/server/outbox/outbox.ts'
import { type Ctx, unit } from '#server/context.ts'
import { features } from '#server/features.ts'
import { job } from '#server/job.ts'
import { countAlone, hasDied, releaseDeadWorkers } from '#server/jobs-ownership.ts'
import { make } from '#test/make.ts'
import { testChannel } from '#test/peers/channel.ts'
import { ownProduct, startProduct } from '#test/server.ts'
import { until } from '#test/until.ts'

const turn = job({ name: 'messages:read', schema: z.object({ n: z.number() }), run: async () => {} })
const product = ownProduct('a process of one role', { env: { ROLES: ['web'] } })
let owner: pg.Client

beforeAll(async () => {
  owner = new pg.Client({ connectionString: product().ownerUrl })
  await owner.connect()
})
afterAll(() => owner.end())

it('a job that waits keeps its turn when it is recorded again; a time that was asked for counts', async () => {
  const tenantId = await make(product().platform).tenant()
  const enqueue = async (n: number, runAt?: Date) => {
    await unit(product().platform, { tenantId, user: null }, async (ctx) =>
      ctx.enqueue(turn, { n }, { key: 'turn', ...(runAt ? { runAt } : {}) }),
    )
    const { rows } = await owner.query<{ run_at: Date; payload: { n: number } }>(
      `select j.run_at, j.payload from graphile_worker._private_jobs j where key = 'turn'`,
    )
    expect(rows.map((row) => row.payload.n)).toEqual([n])
    return rows[0]!.run_at.getTime()
  }
  const first = await enqueue(1)
  expect(await enqueue(2)).toBe(first)
  const later = new Date(Date.now() + 3_600_000)
  expect(await enqueue(3, later)).toBe(later.getTime())
  const again = await enqueue(4)
  expect(again).toBeGreaterThanOrEqual(first)
  expect(again).toBeLessThan(later.getTime() - 3_000_000)
  expect(await enqueue(5)).toBe(again)
})

it('the jobs of one unit of work are recorded in their order, one under a key that is said again, each with what it asks for', async () => {
  const tenantId = await make(product().platform).tenant()
  const later = new Date(Date.now() + 3_600_000)
  await unit(product().platform, { tenantId, user: null }, async (ctx) => {
    ctx.enqueue(turn, { n: 1 }, { key: 'set-a' })
    ctx.enqueue(turn, { n: 2 }, { key: 'set-b', queue: 'set', priority: 3, runAt: later })
    ctx.enqueue(turn, { n: 3 }, { key: 'set-a', priority: -5 })
    ctx.enqueue(turn, { n: 4 })
  })
  const { rows } = await owner.query(
    `select j.key, (j.payload ->> 'n')::int as n, j.priority, q.queue_name as queue, j.run_at = $2 as later, j.max_attempts as most
     from graphile_worker._private_jobs j left join graphile_worker._private_job_queues q on q.id = j.job_queue_id
     where (j.payload ->> 'tenantId')::int = $1 order by j.id`,
    [tenantId, later],
  )
  expect(rows).toEqual([
    { key: 'set-a', n: 3, priority: -5, queue: null, later: false, most: 5 },
    { key: 'set-b', n: 2, priority: 3, queue: 'set', later: true, most: 5 },
    { key: null, n: 4, priority: 0, queue: null, later: false, most: 5 },
  ])
})

it('a conversation to which messages are added faster than they are sent still sends', async () => {
  const busy = await startProduct()
  const channel = testChannel(busy.platform)
  const m = make(busy.platform)
  const tenantId = await m.tenant()
  const connectionId = await m.connection(tenantId, { type: 'test' })
  const within = (work: (ctx: Ctx) => Promise<void>) => unit(busy.platform, { tenantId, user: null }, work)
  const say = async (key: string, ticketId: number) => {
    await m.message(tenantId, ticketId, { from_me: true, status: 'pending' })
    await within(async (ctx) => enqueueSending(ctx, { connection_id: connectionId, conversation_key: key }))
  }
  // A dozen others always wait: each recipient has something to send back.
  const others = new Map<string, number>()
  let goesOn = true
  const saying: Promise<void>[] = []
  channel.behave(async ({ messageId, conversationKey }) => {
    await pause(10)
    const ticketId = others.get(conversationKey)
    if (ticketId && goesOn) saying.push(say(conversationKey, ticketId))
    if (ticketId) sentToOthers++
    else sent++
    return { providerId: messageId }
  })
  let sent = 0
  let sentToOthers = 0
  const ticket = (key: string) =>
    m.ticket(tenantId, { channel: 'test', connection_id: connectionId, conversation_key: key })
  for (let n = 0; n < 12; n++) others.set(`outra-${n}`, await ticket(`outra-${n}`))
  const mine = await ticket('minha')
  await Promise.all([...others].map(([key, id]) => say(key, id)))
  const flood = (async () => {
    while (goesOn) {
      await say('minha', mine)
      await pause(20)
    }
  })()
  try {
    // Every other one has had its turn, and most a second one.
    await until(() => sent > 0 || sentToOthers > 600, 60_000)
    expect(sent).toBeGreaterThan(0)
  } finally {
    goesOn = false
    await flood
    await Promise.all(saying)
    await busy.close()
  }
}, 90_000)

it('whoever has a job may die twenty times without a try of it; from then on it may be the job that kills', async () => {
  const tenantId = await make(product().platform).tenant()
  await unit(product().platform, { tenantId, user: null }, async (ctx) =>
    ctx.enqueue(turn, { n: 1 }, { key: 'mortal', queue: 'mortal' }),
  )
  const pool = new pg.Pool({ connectionString: product().ownerUrl })
  const [jobs, queues] = ['graphile_worker._private_jobs', 'graphile_worker._private_job_queues']
  const die = async () => {
    await owner.query(
      `update ${jobs} set locked_by = 'morto', locked_at = now(), attempts = attempts + 1 where key = 'mortal'`,
    )
    await owner.query(`update ${queues} set locked_by = 'morto', locked_at = now() where queue_name = 'mortal'`)
    expect(await releaseDeadWorkers(pool)).toBe(1)
    const { rows } = await owner.query<{ attempts: number }>(
      `select attempts from ${jobs} j join ${queues} q on q.id = j.job_queue_id
       where key = 'mortal' and j.locked_by is null and j.locked_at is null and q.locked_by is null and q.locked_at is null`,
    )
    return rows[0]?.attempts
  }
  for (let deaths = 1; deaths <= 20; deaths++) expect(await die()).toBe(0)
  expect(await die()).toBe(1)
  expect(await die()).toBe(2)
  await owner.query(`delete from ${jobs} where key = 'mortal'`)
  await pool.end()
})

it('a job that was alone at work at three deaths is put aside: nothing records it again, and its other flags stay until it comes to an end', async () => {
  const tenantId = await make(product().platform).tenant()
  const enqueue = () =>
    unit(product().platform, { tenantId, user: null }, async (ctx) => ctx.enqueue(turn, { n: 1 }, { key: 'alone' }))
  await enqueue()
  const pool = new pg.Pool({ connectionString: product().ownerUrl })
  const read = async () => {
    const { rows } = await owner.query(
      `select id::text, flags, attempts, last_error is not null as "isFailed" from graphile_worker._private_jobs where key = 'alone'`,
    )
    return rows[0]!
  }
  const take = async () => {
    await owner.query(
      `update graphile_worker._private_jobs set locked_by = 'morto', locked_at = now(), attempts = attempts + 1 where key = 'alone'`,
    )
    return read()
  }
  await take()
  await releaseDeadWorkers(pool)
  expect(hasDied((await read()).flags)).toBe(true)
  for (let deaths = 1; deaths <= 3; deaths++) {
    const { id, flags } = await take()
    await countAlone(pool, 'morto', id, flags)
    await releaseDeadWorkers(pool)
    if (deaths < 3) {
      await enqueue()
      expect(await read()).toMatchObject({
        attempts: 0,
        isFailed: false,
        flags: { died: true, [`alone${deaths}`]: true },
      })
    }
  }
  await enqueue()
  expect(await read()).toMatchObject({ attempts: 5, isFailed: true, flags: { aside: true } })
  await owner.query(`delete from graphile_worker._private_jobs where key = 'alone'`)
  await pool.end()
})

it('a job is a value: what waits in an installation’s queue is found by its name, and a bare name is no job', async () => {
  const names = features.flatMap(({ jobs = [] }) => jobs.map(({ name }) => name))
  expect(new Set(names).size).toBe(names.length)
  // Tasks of installed versions: none may be renamed or left out.
  const waiting = ['messages:send', 'messages:read', 'messages:ask', 'mail', 'password-reset']
  expect(names).toEqual(expect.arrayContaining([...waiting, 'lab:bring', 'lab:receipt', 'lab:reconnect']))
  const wrong = (ctx: Ctx) => {
    // @ts-expect-error the name alone
    ctx.enqueue('messages:read', { n: 1 })
    // @ts-expect-error a payload of another shape
    ctx.enqueue(turn, { m: 1 })
  }
  expect(wrong).toBeTypeOf('function')
})
