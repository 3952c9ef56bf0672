import { type FeatureMakers, rowsOf } from './maker.ts'

export const makers: FeatureMakers = {
  params: {
    'rules.id': (making) => {
      const at = making.product.platform.now()
      const row = {
        name: 'Minha automação',
        event: 'received',
        position: 1,
        actions: JSON.stringify([{ kind: 'close' }]),
      }
      return rowsOf(making).insert('rules', making.tenantId, { ...row, created_at: at, updated_at: at })
    },
  },
  bodies: {
    'rules.create': { actions: [{ kind: 'close' }], conditions: [] },
    'rules.update': { actions: [{ kind: 'close' }], conditions: [] },
    'rules.try': { actions: [{ kind: 'close' }], conditions: [] },
  },
}
