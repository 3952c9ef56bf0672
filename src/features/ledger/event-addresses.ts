import type { EventAddresses } from '#kit/addresses.ts'

/** Names of `contactEvents`. */
export const contactEvents = {
  update: { channel: 'contactList', type: 'contact:update', durable: true },
  delete: { channel: 'contactList', type: 'contact:delete', durable: true },
  moved: { channel: 'contactList', type: 'contact:moved', durable: true },
} as const satisfies EventAddresses

/** Names of `journalEvents`. */
export const journalEvents = {
  changed: { channel: 'journal', type: 'journal:changed', durable: true },
  delay: { channel: 'installation', type: 'installation:delay', durable: false },
} as const satisfies EventAddresses

/** Names of `messageEvents`. */
export const messageEvents = {
  create: { channel: 'ticketList', type: 'chat:create', durable: true },
  update: { channel: 'ticketList', type: 'chat:update', durable: true },
  remove: { channel: 'ticketList', type: 'chat:delete', durable: true },
  ack: { channel: 'ticketList', type: 'chat:ack', durable: true },
  presence: { channel: 'typing', type: 'presence', durable: false },
} as const satisfies EventAddresses

/** Names of `notificationEvents`. */
export const notificationEvents = {
  changed: { channel: 'notification', type: 'notification:changed', durable: true },
} as const satisfies EventAddresses

/** Names of `ticketEvents`. */
export const ticketEvents = {
  create: { channel: 'ticketList', type: 'ticket:create', durable: true },
  update: { channel: 'ticketList', type: 'ticket:update', durable: true },
  delta: { channel: 'ticketList', type: 'ticket:delta', durable: true },
  rated: { channel: 'ticketList', type: 'ticket:rated', durable: true },
  read: { channel: 'ticketList', type: 'ticket:read', durable: true },
  gone: { channel: 'ticketList', type: 'ticket:gone', durable: true },
  notify: { channel: 'ticketList', type: 'notification:new', durable: true },
  due: { channel: 'ticketList', type: 'ticket:due', durable: true },
  detail: { channel: 'ticketList', type: 'ticket:detail', durable: true },
  draft: { channel: 'ticketList', type: 'ticket:draft', durable: false },
} as const satisfies EventAddresses
