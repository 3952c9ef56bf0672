import type { DemoPart } from '#db/demo/part.ts'
import { make } from '#test/make.ts'

/** Distribution of tickets: fully set up, but not automatic. */
export const part: DemoPart = {
  after: ['users'],
  async seed({ platform, db, tenantId }) {
    const m = make(platform, db)
    await m.setting(tenantId, 'selfDistributeMode', 'S')
    await m.setting(tenantId, 'maxOpenTickets', '8')
    await m.setting(tenantId, 'returnAbsentMinutes', '15')
    await db
      .updateTable('users')
      .set({ capacity: 12 })
      .where('tenant_id', '=', tenantId)
      .where('profile', '=', 'user')
      .where('name', 'like', 'Ana %')
      .execute()
  },
}
