import { connectionOf, type FeatureMakers } from './maker.ts'

const profile = { about: '', description: '', address: '', email: '', websites: [], vertical: '' }

export const makers: FeatureMakers = {
  params: { 'providerNumbers.id': connectionOf('lab') },
  bodies: {
    'providerNumbers.saveProfile': profile,
  },
}
