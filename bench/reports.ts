import { dayIn } from '#domain/calendar/local-time.ts'
import { dayAfter } from '#domain/reports/days.ts'
import { storeCompany } from '#features/reports/server/index.ts'
import { make } from '#test/make.ts'
import type { Product } from '#test/product.ts'
import { asOwner } from './database.ts'
import { httpLoad } from './http-load.ts'
import { type Measure, percentiles } from './loop.ts'

const TICKETS = 1_000_000
const DAYS = 365
/** Days of such a company that hold 100,000 tickets. */
const EXPORTED_DAYS = 37
const ZONE = 'America/Sao_Paulo'

type Company = { readonly token: string; readonly today: string }
let made: Promise<Company> | undefined

/**
 * Returns a company with a million tickets of a year, evenly spread, with stored figures; created once for all workloads.
 */
function company(product: Product): Promise<Company> {
  made ??= fillYear(product)
  return made
}

async function fillYear({ platform, ownerUrl }: Product): Promise<Company> {
  const m = make(platform)
  const tenantId = await m.tenant('Relatórios')
  const queues = await Promise.all(Array.from({ length: 5 }, () => m.queue(tenantId)))
  const users = await Promise.all(Array.from({ length: 20 }, async () => (await m.user(tenantId)).id))
  const connection = await m.connection(tenantId)
  const admin = await m.user(tenantId, { profile: 'admin' })
  const now = platform.now()
  await asOwner(ownerUrl, async (client) => {
    // Closed tickets concern no counter or view of lists: without triggers they are there soon.
    await client.query('alter table tickets disable trigger user')
    await client.query(
      `insert into contacts (tenant_id, name, number, created_at)
       select $1, 'Contato ' || i, '55119' || (10000000 + i), $2::timestamptz - i * interval '26 minutes' from generate_series(1, 20000) i`,
      [tenantId, now],
    )
    await client.query(
      `insert into tickets (tenant_id, status, user_id, queue_id, connection_id, contact_id, conversation_key, channel,
         is_active_demand, last_message, value, created_at, updated_at, started_attendance_at, closed_at)
       select $1, 'closed', ($3::bigint[])[1 + i % 20], ($4::bigint[])[1 + i % 5], $5, c.first + i % 20000, 'k' || i, 'lab',
         i % 3 = 0, 'Obrigado', case when i % 10 = 0 then i % 500 end, t.at, t.at, t.at + interval '5 minutes', t.at + interval '50 minutes'
       from generate_series(0, $6::int - 1) i
       cross join lateral (select $2::timestamptz - interval '1 hour' - i * ($7 * interval '1 day' / $6) as at) t
       cross join (select min(id) as first from contacts where tenant_id = $1) c`,
      [tenantId, now, users, queues, connection, TICKETS, DAYS],
    )
    await client.query('alter table tickets enable trigger user')
    await client.query('vacuum analyze tickets')
  })
  await storeCompany(platform, tenantId)
  return { token: await m.token(admin), today: dayIn(ZONE, now.getTime()) }
}

const periodOf = ({ today }: Company, days: number) => `startDate=${dayAfter(today, 1 - days)}&endDate=${today}`

const OF_HOME = [
  ...['times', 'evolution-by-period', 'queue', 'channels', 'per-users-detail', 'user', 'status', 'reasons'],
  ...['evolution-channels', 'evolution-channels-name', 'evolution-by-value', 'hours'],
]

/** Measures the requests of the dashboard when it opens with its 14 days, one after the other. */
export async function measureHome(product: Product): Promise<Measure> {
  const one = await company(product)
  const period = periodOf(one, 14)
  const operations = [
    [{ path: '/api/dashboard/live' }],
    ...OF_HOME.map((name) => [{ path: `/api/statistics-tickets-${name}?${period}` }]),
  ]
  return httpLoad({ address: product.address, operations, token: one.token, clients: 1 })
}

/** A page of a report of 14 days, the first with its count and the next by its cursor. */
export async function measureReportPage(product: Product): Promise<Measure> {
  const one = await company(product)
  const path = `/api/tickets-report?${periodOf(one, 14)}`
  const first = await fetch(`${product.address}${path}`, { headers: { authorization: `Bearer ${one.token}` } })
  const { nextCursor } = (await first.json()) as { nextCursor: string }
  const operations = [[{ path }], [{ path: `${path}&cursor=${encodeURIComponent(nextCursor)}` }]]
  return httpLoad({ address: product.address, operations, token: one.token, clients: 1 })
}

/**
 * Measures a report of 100,000 tickets as XLSX, until its last byte; `perSecond` counts rows. Prints the additional memory.
 */
export async function measureExport(product: Product): Promise<Measure> {
  const one = await company(product)
  const filter = { startDate: dayAfter(one.today, 1 - EXPORTED_DAYS), endDate: one.today }
  globalThis.gc?.()
  const before = process.memoryUsage().rss
  let memory = before
  const began = performance.now()
  const answer = await fetch(`${product.address}/api/reports/export`, {
    method: 'POST',
    headers: { authorization: `Bearer ${one.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ report: 'tickets', format: 'xlsx', filter }),
  })
  let bytes = 0
  for await (const chunk of answer.body!) {
    bytes += chunk.length
    memory = Math.max(memory, process.memoryUsage().rss)
  }
  const ms = performance.now() - began
  const rows = Math.round((TICKETS / DAYS) * EXPORTED_DAYS)
  console.log(
    `${answer.status}: ${rows} rows, ${Math.round(bytes / 1024)} kB, ${Math.round((memory - before) / 2 ** 20)} MB more`,
  )
  return { perSecond: rows / (ms / 1000), ...percentiles([ms]) }
}
