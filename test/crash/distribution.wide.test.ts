import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, it } from 'vitest'
import { make } from '#test/make.ts'
import { createDatabase, startProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { startChild, stop } from './processes.ts'

it('ten arrive at once, two processes give, one dies half way: nobody gets a fourth, nothing is given twice', {
  timeout: 240_000,
}, async ({ onTestFinished }) => {
  const ends: (() => unknown)[] = []
  onTestFinished(async () => {
    for (const end of ends.reverse()) await end()
  })
  const databaseUrl = await createDatabase()
  const dataDir = mkdtempSync(join(tmpdir(), 'guiche-distribution-'))
  ends.push(() => rmSync(dataDir, { recursive: true, force: true }))
  const owner = new pg.Client({ connectionString: databaseUrl })
  await owner.connect()
  ends.push(() => owner.end())
  const web = await startProduct({ env: { ROLES: ['web'] } }, databaseUrl)
  ends.push(() => web.close())
  const m = make(web.platform)
  const tenantId = await m.tenant()
  const queueId = await m.queue(tenantId, { distribution: 'B' })
  for (let n = 0; n < 3; n++) await m.token(await m.user(tenantId, { queues: [queueId] }))
  await owner.query('update users set is_online = true, capacity = 3 where tenant_id = $1', [tenantId])
  const connectionId = await m.connection(tenantId)
  const contactId = await m.contact(tenantId)
  await owner.query(
    `insert into tickets (tenant_id, status, queue_id, connection_id, contact_id, conversation_key, channel, waiting_since)
     select $1, 'pending', $2, $3, $4, 'k' || n, 'lab', now() - n * interval '1 minute' from generate_series(1, 10) n`,
    [tenantId, queueId, connectionId, contactId],
  )
  const shares = async () => {
    const { rows } = await owner.query<{ n: number }>(
      "select count(*)::int as n from tickets where status = 'open' group by user_id order by user_id",
    )
    return rows.map(({ n }) => n)
  }
  const launch = async (crashAt: string) => {
    const child = await startChild({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir, CRASH_AT: crashAt })
    ends.push(() => stop(child))
    return child.process
  }
  const dying = await launch('tickets distributed')
  await until(() => dying.signalCode === 'SIGKILL')
  // Its uncommitted decisions were never applied.
  expect(await shares()).toEqual([])
  const [, other] = await Promise.all([launch(''), startProduct({}, databaseUrl)])
  ends.push(() => other.close())
  await until(async () => (await shares()).length === 3)
  expect(await shares()).toEqual([3, 3, 3])
  const { rows: logs } = await owner.query<{ n: number }>(
    "select count(*)::int as n from ticket_logs where type = 'distributed' group by ticket_id",
  )
  expect(logs.map(({ n }) => n)).toEqual(Array.from({ length: 9 }, () => 1))
  // The tenth goes to the next free person without a request.
  const freed = await owner.query<{ user_id: number }>(
    "update tickets set status = 'closed', closed_at = now() where id = (select min(id) from tickets where status = 'open') returning user_id",
  )
  await until(async () => (await shares()).join() === '3,3,3')
  const { rows: last } = await owner.query('select user_id from tickets where conversation_key = $1', ['k1'])
  expect(last).toEqual(freed.rows)
})
