import { addresses, type EventAddresses } from '#kit/addresses.ts'

/** Address of the connection list, for every screen that chooses a connection; the others are in connection-addresses.ts. */
export const connectionList = addresses('connections', {
  list: { method: 'GET', path: '/whatsapp', can: 'connections:read' },
})

/** Names of `connectionEvents`. */
export const connectionEvents = {
  changed: { channel: 'whatsapp', type: 'whatsapp:update', durable: true },
  removed: { channel: 'whatsapp', type: 'whatsapp:delete', durable: true },
  // Not durable: the card shows it as well.
  outage: { channel: 'whatsapp', type: 'whatsapp:outage', durable: false },
  // Not durable: a mail and its screen show it as well.
  told: { channel: 'whatsapp', type: 'whatsapp:told', durable: false },
  // Not durable: a missed code has expired.
  code: { channel: 'whatsappSession', type: 'whatsappSession:update', durable: false },
} as const satisfies EventAddresses
