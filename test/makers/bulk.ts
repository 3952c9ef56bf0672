import { uuidv7 } from '#server/ids.ts'
import type { FeatureMakers } from './maker.ts'

export const makers: FeatureMakers = {
  params: {
    'bulk.id:uuid': async ({ product: { platform }, tenantId, userId }) => {
      const id = uuidv7()
      const row = { tenant_id: tenantId, id, kind: 'tickets', action: 'read', user_id: userId, total: 0 }
      await platform.db.write(tenantId, (db) =>
        db
          .insertInto('bulk_operations')
          .values({ ...row, status: 'paused', created_at: platform.now() })
          .execute(),
      )
      return id
    },
  },
}
