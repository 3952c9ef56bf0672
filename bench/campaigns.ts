import { sql } from 'kysely'
import { campaigns } from '#features/campaigns/contract.ts'
import { make } from '#test/make.ts'
import { call, type Product } from '#test/product.ts'
import type { BenchTenant } from './data.ts'
import { fairContact } from './fair-contacts.ts'
import { type Measure, percentiles } from './loop.ts'
import { measureBeside } from './schedules.ts'

const BLOCK = 1000
const PAGES = 40
const FEW = 100

/**
 * Measures pages of the recipients of a campaign with `count` of them, first and deep; `perSecond` counts recipients
 * selected by a filter and planned. Prints the duration, also relative to the bare insert of their contacts, the additional
 * memory, and the time of its progress relative to that of a small campaign.
 */
export async function measureCampaign(product: Product, count: number): Promise<Measure> {
  const { platform } = product
  const m = make(platform)
  const tenantId = await m.tenant('Campanhas')
  const token = await m.token(await m.user(tenantId, { profile: 'admin' }))
  const sessionId = await m.connection(tenantId, { type: 'lab', status: 'CONNECTED' })
  const began = performance.now()
  for (let from = 0; from < count; from += BLOCK) await addContacts(product, tenantId, from, BLOCK)
  const bare = performance.now() - began
  // The statistics that an import leaves.
  await platform.db.write(tenantId, (db) => sql`select app.analyze_contacts()`.execute(db))
  const create = async (name: string) => {
    const body = { name, start: '2199-12-01T12:00:00.000Z', sessionId, message1: 'Oi, {{firstName}}' }
    const reply = await call(product, campaigns.create, token, { body: body as never })
    return { id: reply.body.id }
  }
  const timed = async (work: () => Promise<{ status: number; body?: unknown }>) => {
    const asked = performance.now()
    const { status, body } = await work()
    if (status !== 200) throw new Error(`answered ${status}: ${JSON.stringify(body)}`)
    return performance.now() - asked
  }
  const [small, large] = [await create('Pequena'), await create('Grande')]
  const some = await platform.db.read(tenantId, (db) => db.selectFrom('contacts').select('id').limit(FEW).execute())
  const few = { contacts: some.map(({ id }) => id) }
  await timed(() => call(product, campaigns.addContacts, token, { params: small, body: few }))
  globalThis.gc?.()
  const before = process.memoryUsage().rss
  let memory = 0
  const watch = setInterval(() => {
    memory = Math.max(memory, process.memoryUsage().rss - before)
  }, 20)
  const added = await timed(() => call(product, campaigns.addContacts, token, { params: large, body: { filter: {} } }))
  const started = await timed(() => call(product, campaigns.start, token, { params: large }))
  const took = added + started
  clearInterval(watch)
  const progressOf = async (params: { id: number }) => {
    const times: number[] = []
    for (let n = 0; n < PAGES; n++) times.push(await timed(() => call(product, campaigns.get, token, { params })))
    return percentiles(times).p50
  }
  const [ofSmall, ofLarge] = [await progressOf(small), await progressOf(large)]
  const pages: number[] = []
  let query: { cursor?: string } = {}
  for (let n = 0; n < PAGES; n++)
    pages.push(
      await timed(async () => {
        const reply = await call(product, campaigns.contacts, token, { params: large, query: query as never })
        query = reply.body.nextCursor ? { cursor: reply.body.nextCursor } : {}
        return reply
      }),
    )
  console.log(
    `campaign to ${count}: taken in ${(took / 1000).toFixed(1)} s (the plan ${(started / 1000).toFixed(1)} s), ` +
      `${(took / bare).toFixed(2)}× the bare insert of its contacts, ${Math.round(memory / 2 ** 20)} MB more, ` +
      `progress ${(ofLarge / ofSmall).toFixed(2)}× of one to ${FEW} (${ofLarge.toFixed(2)} ms)`,
  )
  return { perSecond: (count / took) * 1000, ...percentiles(pages) }
}

/** Stores contacts of a fair list from the index `from` on; returns their ids. */
async function addContacts({ platform }: Product, tenantId: number, from: number, count: number): Promise<number[]> {
  const list = JSON.stringify(Array.from({ length: count }, (_, at) => fairContact(from + at)))
  const { rows } = await platform.db.write(tenantId, (db) =>
    sql<{ id: number }>`insert into contacts (tenant_id, name, number, email)
      select app.tenant(), r.name, r.number, r.email
      from jsonb_to_recordset(${list}::jsonb) as r (name text, number text, email text) returning id`.execute(db),
  )
  return rows.map(({ id }) => id)
}

/**
 * Measures the delay of live messages while a campaign to `count` recipients is sent through the same connection, without an
 * interval.
 */
export const measureCampaignBeside = (product: Product, tenant: BenchTenant, count: number): Promise<Measure> =>
  measureBeside(product, tenant, count, async (message1) => {
    const { tenantId, adminToken, connectionId: sessionId } = tenant
    // Others than those of the campaign before.
    const contacts = await addContacts(product, tenantId, round++ * count, count)
    const always = { windowStart: '00:00', windowEnd: '24:00', weekdays: [0, 1, 2, 3, 4, 5, 6], skipsHolidays: false }
    const body = { name: 'Ao lado', start: new Date().toISOString(), sessionId, message1, delay: 0, ...always }
    const { body: made } = await call(product, campaigns.create, adminToken, { body: body as never })
    const params = { id: made.id }
    await call(product, campaigns.addContacts, adminToken, { params, body: { contacts } })
    const { status, body: answer } = await call(product, campaigns.start, adminToken, { params })
    if (status !== 200) throw new Error(`not started: ${JSON.stringify(answer)}`)
  })

let round = 1000
