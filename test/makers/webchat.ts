import { connectionOf, type FeatureMakers } from './maker.ts'

export const makers: FeatureMakers = { params: { 'webchatChannels.id': connectionOf('webchat') } }
