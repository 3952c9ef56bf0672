import { type FeatureMakers, rowsOf } from './maker.ts'

export const makers: FeatureMakers = {
  params: {
    'providerSignups.id': async (making) => {
      const user = await rowsOf(making).user(making.tenantId, { profile: 'admin' })
      return rowsOf(making).insert('provider_signups', making.tenantId, {
        ...{ user_id: user.id, provider: 'sample', expires_at: making.product.platform.now() },
      })
    },
  },
  bodies: {
    'providerSignups.begin': { provider: 'sample' },
    'providerSignups.finish': { state: 'x', code: 'x' },
    'providerSignups.connect': { account: '1', name: 'Empório' },
  },
}
