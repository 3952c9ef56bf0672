import { type FeatureMakers, ownCompany } from './maker.ts'

export const makers: FeatureMakers = {
  params: { 'settings.key': async () => 'nullTickets', 'tenantFlags.id': ownCompany },
  shared: ['settings.key'],
}
