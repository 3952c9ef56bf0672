import { sql } from 'kysely'
import { make } from '#test/make.ts'
import type { Product } from '#test/product.ts'
import type { BenchTenant } from './data.ts'
import { httpLoad } from './http-load.ts'
import type { Measure } from './loop.ts'

const CITIES = 20

/** The list of contacts, first page, by a field of the company's own in which each of twenty values is as frequent. */
export async function measureOwnField({ platform, address }: Product, tenant: BenchTenant): Promise<Measure> {
  const { tenantId, adminToken: token } = tenant
  const cities = Array.from({ length: CITIES }, (_, n) => `Cidade ${n}`)
  const times = { created_at: platform.now(), updated_at: platform.now() }
  const row = { name: 'Cidade', type: 'choice', options: cities.join('\n'), position: 1, ...times }
  const id = await make(platform).insert('contact_fields', tenantId, row)
  await platform.db.write(tenantId, (db) =>
    sql`insert into contact_field_values (tenant_id, contact_id, field_id, value)
      select tenant_id, id, ${id}, 'Cidade ' || id % ${CITIES} from contacts`.execute(db),
  )
  const operations = cities.map((city) => [{ path: `/api/contacts?field=${encodeURIComponent(`${id}:${city}`)}` }])
  return httpLoad({ address, operations, token, clients: 1 })
}
