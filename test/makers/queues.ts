import { type FeatureMakers, rowsOf } from './maker.ts'

export const makers: FeatureMakers = { params: { 'queues.id': (making) => rowsOf(making).queue(making.tenantId) } }
