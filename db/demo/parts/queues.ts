import type { DemoPart } from '#db/demo/part.ts'
import { make } from '#test/make.ts'

/** The queues. */
export const part: DemoPart = {
  async seed({ platform, db, tenantId, tenant, ids }) {
    for (const { name, color } of tenant.queues)
      ids.queues.set(name, await make(platform, db).queue(tenantId, { queue: name, color }))
  },
}
