import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { expect, it } from 'vitest'
import { campaigns } from '#features/campaigns/contract.ts'
import { make } from '#test/make.ts'
import { call, createDatabase, startProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { query, startChild, startPeer, stop } from './processes.ts'

const PHONES = 120
const POINTS = ['dispatch written', 'dispatch committed', 'message claimed', 'provider accepted'] as const
/** Number of times that one of the two processes dies at a point. */
const DEATHS = 3

it.each([...POINTS.map((point) => [point, 'yes'] as const), ['provider accepted', 'no'] as const])(
  'killed at “%s” (a channel that knows repeats: %s) beside a living process, a campaign reaches each phone once',
  async (point, isIdempotent) => {
    const databaseUrl = await createDatabase()
    const dataDir = mkdtempSync(join(tmpdir(), 'guiche-campaigns-'))
    const peer = await startPeer()
    const children: Awaited<ReturnType<typeof startChild>>[] = []
    try {
      const product = await startProduct({ env: { ROLES: ['web'] } }, databaseUrl)
      const m = make(product.platform)
      const tenantId = await m.tenant()
      const sessionId = await m.connection(tenantId, { type: 'test', status: 'CONNECTED' })
      const token = await m.token(await m.user(tenantId, { profile: 'admin' }))
      const numbers = Array.from({ length: PHONES }, (_, n) => String(5_511_940_000_000 + n))
      const contacts = await Promise.all(numbers.map((number) => m.contact(tenantId, { number })))
      const body = {
        ...{ name: 'Volta', start: new Date().toISOString(), sessionId, delay: 0, message1: 'Oi', perWeek: null },
        ...{ windowStart: '00:00', windowEnd: '24:00', weekdays: [0, 1, 2, 3, 4, 5, 6], skipsHolidays: false },
      }
      const made = await call(product, campaigns.create, token, { body: body })
      const params = { id: made.body.id }
      await call(product, campaigns.addContacts, token, { params, body: { contacts } })
      const launch = async (name: string, crashAt = '') => {
        const child = await startChild({
          ...{ DATABASE_URL: databaseUrl, DATA_DIR: dataDir, PEER_URL: peer.url, ROLES: 'worker', WORKER: name },
          ...{ CRASH_AT: crashAt, CRASH_AFTER: '1', IDEMPOTENT: isIdempotent },
        })
        children.push(child)
        return child.process
      }
      await launch('living')
      let mortal = await launch('mortal', point)
      expect((await call(product, campaigns.start, token, { params })).status).toBe(200)
      const isDone = async () => (await call(product, campaigns.get, token, { params })).body.status === 'finished'
      for (let deaths = 0; deaths < DEATHS && !(await isDone()); ) {
        await until(async () => mortal.signalCode !== null || (await isDone()), 60_000)
        if (mortal.signalCode === null) break
        deaths++
        mortal = await launch('mortal', deaths < DEATHS ? point : '')
      }
      await until(isDone, 120_000)
      const rows = <R extends pg.QueryResultRow>(text: string) =>
        query(databaseUrl, async (client) => (await client.query<R>(text)).rows)
      const states = await rows<{ state: string; n: number }>(
        'select state, count(*)::int as n from dispatch_items group by state',
      )
      const of = (state: string) => states.find((row) => row.state === state)?.n ?? 0
      const reached = new Map(numbers.map((number) => [number, peer.held[number]?.length ?? 0]))
      expect([...reached.values()].every((times) => times <= 1)).toBe(true)
      // No recipient is skipped: if delivery is not confirmed, its state is uncertain.
      expect(of('sent') + of('uncertain')).toBe(PHONES)
      expect([...reached.values()].filter((times) => times === 1).length).toBeGreaterThanOrEqual(of('sent'))
      if (isIdempotent === 'yes') expect(of('sent')).toBe(PHONES)
      const report = (await call(product, campaigns.get, token, { params })).body
      expect(report).toMatchObject({ contactsCount: PHONES, sent: of('sent'), uncertain: of('uncertain'), waiting: 0 })
      await product.close()
    } finally {
      for (const child of children) await stop(child)
      await peer.close()
      rmSync(dataDir, { recursive: true, force: true })
    }
  },
  300_000,
)
