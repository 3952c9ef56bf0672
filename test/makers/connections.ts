import { connectionOf, type FeatureMakers } from './maker.ts'

export const makers: FeatureMakers = {
  params: { 'connections.id': connectionOf('lab') },
  bodies: {
    'connections.create': {
      type: 'sample',
      values: { address: 'https://pombal.test', loft: 'um', token: 'um token de teste' },
    },
    'connections.update': { values: {} },
  },
}
