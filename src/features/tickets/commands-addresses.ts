import { addresses } from '#kit/addresses.ts'

/** Routes of `ticketCommands`. */
export const ticketCommands = addresses('ticketCommands', {
  toChatFlow: { method: 'PUT', path: '/ticketsChatBot/:id', can: 'tickets:write', touches: ['tickets'] },
  changeChannel: { method: 'PUT', path: '/ticketsChannelId/:id', can: 'tickets:write', touches: ['tickets'] },
  moveChannel: { method: 'PUT', path: '/ticketsChannel', can: 'tickets:maintain', touches: ['tickets'] },
  pause: { method: 'POST', path: '/ticketsPause/:id/pause', can: 'tickets:write', touches: ['tickets'] },
  resume: { method: 'POST', path: '/ticketsPause/:id/pause/end', can: 'tickets:write', touches: ['tickets'] },
  notify: { method: 'POST', path: '/ticketsNotification/:id', can: 'tickets:write', touches: [] },
  clear: { method: 'POST', path: '/ticketsClear', can: 'tickets:write', touches: [] },
  clearByGet: { method: 'GET', path: '/ticketsClear', can: 'tickets:write' },
  readAll: { method: 'POST', path: '/ticketsMarkAllUnread', can: 'tickets:maintain', touches: ['tickets'] },
  readAllByGet: { method: 'GET', path: '/ticketsMarkAllUnread', can: 'tickets:maintain' },
  readOwn: { method: 'PUT', path: '/ticketsUpdateAllUnreadMessages', can: 'tickets:write', touches: [] },
  mendDates: { method: 'PUT', path: '/ticketsLastMessageAt', can: 'tickets:maintain', touches: [] },
  chatFlows: { method: 'GET', path: '/chat-flow', can: 'tickets:write' },
})
