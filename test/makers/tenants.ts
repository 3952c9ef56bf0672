import { type FeatureMakers, ownCompany } from './maker.ts'

export const makers: FeatureMakers = {
  params: { 'companies.id': ownCompany },
  // The superadmin's; that others reach only their own is tested with them.
  shared: ['companies.id'],
}
