import { type FeatureMakers, ownCompany, rowsOf, ticketOf } from './maker.ts'

export const makers: FeatureMakers = {
  params: {
    'ratings.id': ownCompany,
    'evaluations.ticketId': ticketOf,
    'evaluations.id': async (making) => {
      const { product } = making
      const id = await ticketOf(making)
      const { contact_id, connection_id, conversation_key } = await product.platform.db.asPlatform((db) =>
        db.selectFrom('tickets').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
      )
      const at = product.platform.now()
      return rowsOf(making).insert('ticket_evaluations', making.tenantId, {
        ticket_id: id,
        contact_id,
        connection_id,
        conversation_key,
        closed_at: at,
        asked_at: at,
        expires_at: at,
      })
    },
  },
}
