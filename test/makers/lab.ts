import { uuidv7 } from '#server/ids.ts'
import { connectionOf, type FeatureMakers, rowsOf } from './maker.ts'

export const makers: FeatureMakers = {
  params: {
    'lab.id': async (making) =>
      rowsOf(making).insert('lab_phones', making.tenantId, {
        connection_id: await connectionOf('lab')(making),
        name: 'Telefone',
        number: `55119${String(Date.now()).slice(-8)}`,
      }),
    'lab.messageId:uuid': async ({ product, tenantId, beside }) => {
      const id = uuidv7()
      await product.platform.db.write(tenantId, (db) =>
        db
          .insertInto('lab_messages')
          .values({
            tenant_id: tenantId,
            id,
            phone_id: beside['id'] as number,
            provider_id: id,
            from_phone: true,
            timestamp: product.platform.now(),
          })
          .execute(),
      )
      return id
    },
  },
  bodies: { 'lab.send': { body: 'Olá' } },
}
