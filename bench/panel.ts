import { sql } from 'kysely'
import { make } from '#test/make.ts'
import type { Product } from '#test/product.ts'
import type { BenchTenant } from './data.ts'
import { httpLoad } from './http-load.ts'
import type { Measure } from './loop.ts'

const PEOPLE = 200

/** The attendance panel of 200 people, among whom the open tickets are spread: its columns, then one column's tickets. */
export async function measurePanel({ platform, address }: Product, tenant: BenchTenant): Promise<Measure> {
  const { tenantId, adminToken: token } = tenant
  const m = make(platform)
  const ids: number[] = []
  for (let n = 0; n < PEOPLE; n++) ids.push((await m.user(tenantId)).id)
  await platform.db.write(tenantId, (db) =>
    sql`update tickets set user_id = (${ids}::bigint[])[1 + id % ${PEOPLE}] where status = 'open'`.execute(db),
  )
  const columns = [{ path: '/api/dashboard/columns' }, { path: '/api/dashboard/columns?by=queue' }]
  const tickets = ids.map((id) => ({
    path: `/api/tickets?tab=live&isGroup=false&onlyUser=${id}&showAll=true&pendingFirst=true`,
  }))
  return httpLoad({ address, operations: [columns, ...tickets.map((step) => [step])], token, clients: 4 })
}
