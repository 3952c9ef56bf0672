import type { FeatureMakers } from './maker.ts'

export const makers: FeatureMakers = {
  bodies: { 'constants.create': { name: 'site' }, 'constants.update': { name: 'site' } },
}
