import { type FeatureMakers, rowsOf } from './maker.ts'

export const makers: FeatureMakers = {
  params: {
    'slaPolicies.id': (making) => {
      const at = making.product.platform.now()
      const row = { name: 'Minha política', position: 1, first_minutes: 30, created_at: at, updated_at: at }
      return rowsOf(making).insert('sla_policies', making.tenantId, row)
    },
  },
  bodies: {
    'slaPolicies.create': { firstMinutes: 30, queueIds: [], connectionIds: [], tagIds: [], walletIds: [] },
    'slaPolicies.update': { firstMinutes: 30, queueIds: [], connectionIds: [], tagIds: [], walletIds: [] },
  },
}
