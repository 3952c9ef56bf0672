import { sql } from 'kysely'
import type { FeatureMakers } from './maker.ts'

const KIND = 'operation-sample'

export const makers: FeatureMakers = {
  params: {
    'operation.queueName': async ({ product }) => {
      await product.platform.db.asPlatform((db) =>
        sql`select app.add_job(${KIND}, '{"tenantId":1}'::json, ${KIND})`.execute(db),
      )
      return KIND
    },
  },
  shared: ['operation.queueName'],
}
