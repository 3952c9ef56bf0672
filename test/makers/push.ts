import { type FeatureMakers, ownCompany } from './maker.ts'

export const makers: FeatureMakers = {
  params: { 'push.tenantId': ownCompany },
  writing: ['push.key'],
}
