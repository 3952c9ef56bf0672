import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { uuidv7 } from '#server/ids.ts'
import { make } from '#test/make.ts'
import { textEvent } from '#test/peers/channel.ts'
import { call, createDatabase, startProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { journal } from './contract.ts'

it('what waits at a start is taken alone: what three processes died of is put aside with its reason, the rest is processed, and it can be tried again', async () => {
  const ownerUrl = await createDatabase()
  const before = await startProduct({}, ownerUrl)
  const m = make(before.platform)
  const tenantId = await m.tenant()
  const token = await m.token(await m.user(tenantId, { profile: 'admin' }))
  const connectionId = await m.connection(tenantId, { type: 'test' })
  await before.close()
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  onTestFinished(() => owner.end())
  for (const deaths of [0, 2, 3]) {
    const { dedupeKey, ...event } = textEvent({ from: `551187000000${deaths}`, body: `mortes: ${deaths}` })
    await owner.query(
      `insert into journal (tenant_id, id, connection_id, dedupe_key, payload, received_at, deaths)
       values ($1, $2, $3, $4, $5, now(), $6)`,
      [tenantId, uuidv7(), connectionId, dedupeKey, JSON.stringify(event), deaths],
    )
  }
  const product = await startProduct({}, ownerUrl)
  onTestFinished(() => product.close())
  const bodies = async () =>
    (await owner.query<{ body: string }>('select body from messages order by body')).rows.map(({ body }) => body)
  const list = async () => (await call(product, journal.list, token)).body
  await until(async () => (await bodies()).length === 2 && (await list()).events.length === 1)
  expect(await bodies()).toEqual(['mortes: 0', 'mortes: 2'])
  expect((await list()).events).toMatchObject([
    { code: 'ERR_PROCESS_DIED', fault: 'own', attempts: 3, detail: expect.stringContaining('três vezes') },
  ])
  expect((await call(product, journal.retry, token, { body: {} })).body).toEqual({ retried: 1, left: 0 })
  await until(async () => (await bodies()).length === 3)

  await owner.query(
    `select graphile_worker.add_job('nobody:knows', $1, run_at => now() + interval '1 hour', max_attempts => 5)`,
    [JSON.stringify({ tenantId })],
  )
  await owner.query(
    `update graphile_worker._private_jobs set attempts = 5, last_error = 'morreu', flags = '{"aside": true, "died": true, "alone3": true}'
     where (payload ->> 'tenantId')::int = $1 and run_at > now()`,
    [tenantId],
  )
  const [job] = (await list()).events
  expect(job).toMatchObject({ kind: 'job', task: 'nobody:knows', connection: null, detail: 'morreu', attempts: 3 })
  expect((await call(product, journal.retry, token, { body: { ids: [job!.id] } })).body).toEqual({
    retried: 1,
    left: 0,
  })
}, 240_000)
