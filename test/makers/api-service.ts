import { uuidv7 } from '#server/ids.ts'
import { connectionOf, type FeatureMakers, rowsOf } from './maker.ts'

export const makers: FeatureMakers = {
  params: {
    'apiKeys.id:uuid': async (making) => {
      const at = making.product.platform.now()
      const id = uuidv7()
      const connection_id = await connectionOf('lab')(making)
      const row = {
        id,
        name: 'Minha chave',
        connection_id,
        user_id: making.userId,
        scopes: ['tickets:read'],
        hint: 'abcd',
      }
      await rowsOf(making).insert('api_keys', making.tenantId, { ...row, created_at: at, updated_at: at })
      return id
    },
  },
  bodies: { 'apiKeys.update': { name: 'Outro nome' } },
}
