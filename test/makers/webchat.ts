import { connectionOf, type FeatureMakers, rowsOf, ticketOf } from './maker.ts'

export const makers: FeatureMakers = {
  params: {
    'webchatChannels.id': connectionOf('webchat'),
    // A visitor is nobody of the company: whoever asks without a token of their own finds nothing.
    'webchat.messageId:uuid': async (making) => rowsOf(making).message(making.tenantId, await ticketOf(making)),
  },
}
