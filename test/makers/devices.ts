import { uuidv7 } from '#server/ids.ts'
import type { FeatureMakers } from './maker.ts'

export const makers: FeatureMakers = {
  params: {
    'devices.id:uuid': async ({ product, tenantId, userId }) => {
      const id = uuidv7()
      const row = { tenant_id: tenantId, id, user_id: userId, refresh_hash: Buffer.from(id) }
      await product.platform.db.asPlatform((db) =>
        db
          .insertInto('sessions')
          .values({ ...row, expires_at: new Date(product.platform.now().getTime() + 86_400_000) })
          .execute(),
      )
      return id
    },
  },
}
