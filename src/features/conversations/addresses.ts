import { addresses, type EventAddresses } from '#kit/addresses.ts'

/** The names of `contactEvents`. */
export const contactEvents = {
  update: { channel: 'contactList', type: 'contact:update', durable: true },
  delete: { channel: 'contactList', type: 'contact:delete', durable: true },
  moved: { channel: 'contactList', type: 'contact:moved', durable: true },
} as const satisfies EventAddresses

/** The names of `journalEvents`. */
export const journalEvents = {
  changed: { channel: 'journal', type: 'journal:changed', durable: true },
  delay: { channel: 'installation', type: 'installation:delay', durable: false },
} as const satisfies EventAddresses

/** The addresses of `messages`. */
export const messages = addresses('messages', {
  list: { method: 'GET', path: '/messages/:ticketId', can: 'tickets:read' },
  send: {
    method: 'POST',
    path: '/messages/:ticketId',
    can: 'tickets:write',
    upload: { maxFiles: 10, maxBytes: 100 * 1024 * 1024 },
    touches: [],
  },
  transfer: { method: 'POST', path: '/tickets/:id/transfer', can: 'tickets:write', touches: ['tickets'] },
  retry: { method: 'POST', path: '/messages/:id/retry', can: 'tickets:write' },
  cancel: { method: 'POST', path: '/messages/:id/cancel', can: 'tickets:write' },
  trail: { method: 'GET', path: '/messages/:id/trail', can: 'tickets:read' },
  formatted: { method: 'GET', path: '/messages/:id/formatted', can: 'tickets:read' },
  search: { method: 'GET', path: '/searchMessage', can: 'tickets:read' },
  ofContact: { method: 'GET', path: '/messagesContact/:contactId', can: 'tickets:read' },
  export: { method: 'GET', path: '/exportMessages/:ticketId', can: 'messages:export' },
  resolvePending: { method: 'POST', path: '/pending/resolvePending', can: 'messages:repair', touches: [] },
  typing: { method: 'POST', path: '/messages/:id/typing', can: 'tickets:write' },
  recording: { method: 'POST', path: '/messages/:id/recording', can: 'tickets:write' },
  paused: { method: 'POST', path: '/messages/:id/paused', can: 'tickets:write' },
  changes: { method: 'GET', path: '/changes', can: 'session' },
  edit: { method: 'POST', path: '/messages/editMessage', can: 'tickets:write' },
  change: { method: 'PATCH', path: '/messages/:id', can: 'tickets:write' },
  remove: { method: 'DELETE', path: '/messages', can: 'tickets:write' },
  react: { method: 'POST', path: '/messages/reactionMessage', can: 'tickets:write' },
  card: { method: 'POST', path: '/messages/:ticketId/vcard', can: 'messages:share' },
  location: { method: 'POST', path: '/messages/:ticketId/location', can: 'tickets:write' },
  buttons: { method: 'POST', path: '/sendButton', can: 'tickets:write' },
  poll: { method: 'POST', path: '/sendPoll', can: 'tickets:write' },
  forward: { method: 'POST', path: '/forward-messages', can: 'messages:share' },
  direct: {
    method: 'POST',
    path: '/noRedis',
    can: 'tickets:start',
    upload: { maxFiles: 1, maxBytes: 100 * 1024 * 1024 },
    touches: [],
  },
  pin: { method: 'POST', path: '/messages/:id/pin', can: 'tickets:write', touches: [] },
  unpin: { method: 'DELETE', path: '/messages/:id/pin', can: 'tickets:write', touches: [] },
  mentionable: { method: 'GET', path: '/messages/:ticketId/mentionable', can: 'tickets:write' },
  media: { method: 'POST', path: '/messages/:id/media', can: 'tickets:read' },
})

/** The names of `messageEvents`. */
export const messageEvents = {
  create: { channel: 'ticketList', type: 'chat:create', durable: true },
  update: { channel: 'ticketList', type: 'chat:update', durable: true },
  remove: { channel: 'ticketList', type: 'chat:delete', durable: true },
  ack: { channel: 'ticketList', type: 'chat:ack', durable: true },
  presence: { channel: 'typing', type: 'presence', durable: false },
} as const satisfies EventAddresses

/** The addresses of `notifications`. */
export const notifications = addresses('notifications', {
  list: { method: 'GET', path: '/notifications', can: 'tickets:read' },
  unread: { method: 'GET', path: '/notifications/unread', can: 'tickets:read' },
  read: { method: 'PUT', path: '/notifications/read', can: 'tickets:read', touches: ['notifications'] },
  mentions: { method: 'GET', path: '/notifications/mentions', can: 'tickets:read' },
  seeMention: { method: 'PUT', path: '/notifications/mentions/:id/seen', can: 'tickets:read', touches: [] },
})

/** The names of `notificationEvents`. */
export const notificationEvents = {
  changed: { channel: 'notification', type: 'notification:changed', durable: true },
} as const satisfies EventAddresses

/** The addresses of `tickets`. */
export const tickets = addresses('tickets', {
  list: { method: 'GET', path: '/tickets', can: 'tickets:read' },
  get: { method: 'GET', path: '/tickets/:id', can: 'tickets:read' },
  logs: { method: 'GET', path: '/tickets/:id/logs', can: 'tickets:read' },
  explain: { method: 'GET', path: '/tickets/:id/visibility', can: 'tickets:read' },
  create: { method: 'POST', path: '/tickets', can: 'tickets:start', touches: ['tickets'] },
  reach: { method: 'GET', path: '/ticketsReach', can: 'tickets:start' },
  begin: { method: 'POST', path: '/ticketsBegin', can: 'tickets:start', touches: ['tickets'] },
  update: { method: 'PUT', path: '/tickets/:id', can: 'tickets:write', touches: ['tickets'] },
  read: { method: 'PUT', path: '/tickets/:id/read', can: 'tickets:read', touches: [] },
  force: { method: 'PUT', path: '/ticketsForce/:id', can: 'tickets:write', touches: ['tickets'] },
  nullify: { method: 'PUT', path: '/ticketsNull/:id', can: 'tickets:write', touches: ['tickets'] },
  check: { method: 'GET', path: '/ticketscheck/:a/:b', can: 'tickets:read' },
  draft: { method: 'PUT', path: '/tickets/:id/draft', can: 'tickets:write' },
  getDraft: { method: 'GET', path: '/tickets/:id/draft', can: 'tickets:read' },
  answer: { method: 'GET', path: '/tickets/:id/answer', can: 'tickets:write' },
  viewers: { method: 'GET', path: '/tickets/:id/viewers', can: 'tickets:all' },
  hidden: { method: 'GET', path: '/ticketsHidden', can: 'tickets:all' },
  follow: { method: 'POST', path: '/tickets/:id/follow', can: 'tickets:read', touches: [] },
  unfollow: { method: 'DELETE', path: '/tickets/:id/follow', can: 'tickets:read', touches: [] },
  ofContact: { method: 'GET', path: '/ticketsContact/:contactId', can: 'tickets:read' },
})

/** The addresses of `ticketsBulk`. */
export const ticketsBulk = addresses('ticketsBulk', {
  start: { method: 'POST', path: '/tickets/bulk', can: 'tickets:write' },
})

/** The names of `ticketEvents`. */
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
