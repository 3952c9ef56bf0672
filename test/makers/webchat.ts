import { connectionOf, type FeatureMakers, rowsOf, ticketOf } from './maker.ts'

export const makers: FeatureMakers = {
  params: {
    'webchatChannels.id': connectionOf('webchat'),
    // A visitor is no user of the company: requests without a visitor's token find nothing.
    'webchat.messageId:uuid': async (making) => rowsOf(making).message(making.tenantId, await ticketOf(making)),
  },
}
