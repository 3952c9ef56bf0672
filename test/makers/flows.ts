import { NEW_FLOW } from '#domain/flow/document.ts'
import { type FeatureMakers, rowsOf, ticketOf } from './maker.ts'

export const makers: FeatureMakers = {
  params: {
    'flows.id': (making) =>
      rowsOf(making).insert('chat_flows', making.tenantId, { name: 'Recepção', definition: JSON.stringify(NEW_FLOW) }),
    'flows.version': async ({ product, tenantId, beside }) => {
      const row = { chat_flow_id: Number(beside['id']), version: 1, definition: JSON.stringify(NEW_FLOW) }
      await product.platform.db.asPlatform((db) =>
        db
          .insertInto('chat_flow_versions')
          .values({ tenant_id: tenantId, ...row })
          .execute(),
      )
      return 1
    },
    'ticketFlow.id': ticketOf,
  },
  bodies: { 'flows.update': { name: 'Recepção', flow: NEW_FLOW }, 'flows.import': NEW_FLOW },
  // What an import has beside the flow survives it.
  open: ['flows.import'],
}
