import type { FeatureMakers } from './maker.ts'

export const makers: FeatureMakers = { bodies: { 'identityProvider.save': { issuer: 'https://accounts.google.com' } } }
