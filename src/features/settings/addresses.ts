import { addresses, type EventAddresses } from '#kit/addresses.ts'

/** The addresses of `settings`. */
export const settings = addresses('settings', {
  list: { method: 'GET', path: '/settings', can: 'settings:read' },
  get: { method: 'GET', path: '/settings/:key', can: 'settings:read' },
  set: { method: 'PUT', path: '/settings/:key', can: 'settings:write', touches: ['settings'] },
})

/** The names of `settingsEvents`. */
export const settingsEvents = {
  changed: { channel: 'settings', type: 'settings:changed', kept: true },
} as const satisfies EventAddresses
