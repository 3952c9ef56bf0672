import type { Feature } from '#server/feature.ts'
import { implement } from '#server/http/route.ts'
import { COUNTED, countOf, pageOf, pageStartOf } from '#server/paging.ts'
import { companyChannels } from '../contract.ts'
import { countChannels, listChannels, sumChannels } from './queries.ts'

const routes = implement(companyChannels, {
  list: ({ platform }, { query }) => {
    const wanted = { search: query.searchParam, only: query.only }
    return platform.db.asPlatform(async (db) => {
      const found = await listChannels(db, wanted, pageStartOf(query, 3))
      const { rows, paging } = pageOf(found, (row) => [row.sort_name, row.tenant_id, row.id])
      const connections = rows.map((row) => ({
        ...{ id: row.id, name: row.name, type: row.type, status: row.status, cause: row.cause, number: row.number },
        isDefault: row.is_default,
        updatedAt: row.updated_at,
        wasConnected: row.first_connected_at !== null,
        tenantId: row.tenant_id,
        tenantName: row.tenant_name,
        isTenantActive: row.tenant_status === 'active',
      }))
      const count = countOf(await countChannels(db, wanted, COUNTED))
      return { connections, totals: await sumChannels(db), ...count, ...paging }
    })
  },
})

/** Server part of the feature `company-channels`: the channels of all companies, for the superadmin. */
export const companyChannelsFeature: Feature = {
  name: 'company-channels',
  titles: { companyChannels: 'Canais das empresas' },
  routes,
}
