import { storeFile } from '#db/demo/files.ts'
import type { DemoPart } from '#db/demo/part.ts'
import { make } from '#test/make.ts'

/** Tags and quick replies; the first ones have the most uses. */
export const part: DemoPart = {
  after: ['queues'],
  async seed({ platform, db, tenantId, tenant, ids }) {
    const m = make(platform, db)
    for (const { name, color } of tenant.tags) ids.tags.set(name, await m.tag(tenantId, { tag: name, color }))
    for (const [index, { key, title, message, queue, voice = false, files = [] }] of tenant.quickReplies.entries()) {
      const about = { queue_id: ids.queues.get(queue ?? '') ?? null, voice, uses: Math.round(180 / (index + 2)) }
      const id = await m.insert('fast_replies', tenantId, { key, title, message, ...about })
      for (const [position, name] of files.entries()) {
        const file_id = await storeFile({ platform, db, tenantId, files: new Map() }, name)
        await db
          .insertInto('fast_reply_files')
          .values({ tenant_id: tenantId, fast_reply_id: id, file_id, position })
          .execute()
      }
    }
  },
}
