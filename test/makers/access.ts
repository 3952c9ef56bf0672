import { type FeatureMakers, self, ticketOf } from './maker.ts'

export const makers: FeatureMakers = { params: { 'access.id': self, 'access.ticketId': ticketOf } }
