import { addresses, type EventAddresses } from '#kit/addresses.ts'

/** API routes of `settings`. */
export const settings = addresses('settings', {
  list: { method: 'GET', path: '/settings', can: 'settings:read' },
  get: { method: 'GET', path: '/settings/:key', can: 'settings:read' },
  set: { method: 'PUT', path: '/settings/:key', can: 'settings:write', touches: ['settings'] },
})

/** API routes of the colours; audit records use this name. */
export const colors = addresses('tenants', {
  publicColors: { method: 'GET', path: '/publicSystemColors', can: 'public' },
  colors: { method: 'GET', path: '/tenants/systemColors', can: 'session' },
  setColors: { method: 'PUT', path: '/tenants/systemColors', can: 'settings:write', touches: ['tenants', 'settings'] },
})

/** Event names of `settingsEvents`. */
export const settingsEvents = {
  changed: { channel: 'settings', type: 'settings:changed', durable: true },
} as const satisfies EventAddresses
