import { type FeatureMakers, self } from './maker.ts'

export const makers: FeatureMakers = {
  params: { 'users.id': self, 'userTenants.id': self },
  bodies: {
    'ownProfile.changeEmail': { email: 'pessoa@teste.dev' },
    'ownProfile.save': { phone: '' },
    'users.setAway': { until: null },
    'users.create': { email: 'pessoa@teste.dev' },
    'userTenants.create': { email: 'pessoa@teste.dev' },
  },
}
