import { addresses, type EventAddresses } from '#kit/addresses.ts'

const touches = ['providerNumbers']
const can = 'connections:write'
const one = '/provider-numbers/:id'

/** API routes of `providerNumbers`; the id is that of the connection. */
export const providerNumbers = addresses('providerNumbers', {
  list: { method: 'GET', path: '/provider-numbers', can },
  changes: { method: 'GET', path: `${one}/changes`, can },
  read: { method: 'POST', path: `${one}/read`, can, touches },
  // Asks the provider, so nothing that is read by the way.
  profile: { method: 'POST', path: `${one}/profile/read`, can },
  saveProfile: { method: 'PUT', path: `${one}/profile`, can, touches },
  savePicture: {
    method: 'POST',
    path: `${one}/picture`,
    can,
    touches,
    upload: { maxFiles: 1, maxBytes: 5 * 1024 * 1024 },
  },
  requestCode: { method: 'POST', path: `${one}/code`, can },
  verify: { method: 'POST', path: `${one}/verify`, can, touches },
  register: { method: 'POST', path: `${one}/register`, can, touches },
  setCallback: { method: 'PUT', path: `${one}/callback`, can },
})

/** Event names of `providerNumberEvents`. */
export const providerNumberEvents = {
  changed: { channel: 'providerNumbers', type: 'providerNumbers:changed', durable: true },
} as const satisfies EventAddresses
