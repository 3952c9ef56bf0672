import { addresses, type EventAddresses } from '#kit/addresses.ts'

/** API routes of `history`. */
export const history = addresses('history', {
  importAll: { method: 'POST', path: '/messages/syncOld', can: 'messages:import', touches: ['history'] },
  importOne: { method: 'POST', path: '/messages/syncOldByUser', can: 'messages:import', touches: ['history'] },
  list: { method: 'GET', path: '/messages/imports', can: 'messages:import' },
  cancel: { method: 'POST', path: '/messages/imports/:id/cancel', can: 'messages:import', touches: ['history'] },
  restoreTimes: { method: 'POST', path: '/messagesUpdateSyncTime', can: 'messages:import', touches: [] },
})

/** Event names of `historyEvents`. */
export const historyEvents = {
  // Not durable: the next progress event repeats it.
  progress: { channel: 'importMessages', type: 'importMessages:update', durable: false },
  refresh: { channel: 'importMessages', type: 'importMessages:refresh', durable: true },
} as const satisfies EventAddresses
