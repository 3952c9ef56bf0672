import type { DemoPart } from '#db/demo/part.ts'
import { make } from '#test/make.ts'

/** Tags and quick replies. */
export const part: DemoPart = {
  async seed({ platform, db, tenantId, tenant, ids }) {
    const m = make(platform, db)
    for (const { name, color } of tenant.tags) ids.tags.set(name, await m.tag(tenantId, { tag: name, color }))
    for (const { key, title, message } of tenant.quickReplies)
      await m.insert('fast_replies', tenantId, { key, title, message })
  },
}
