import { addresses } from '#kit/addresses.ts'

/** API routes of `secondFactor`. */
export const secondFactor = addresses('secondFactor', {
  get: { method: 'GET', path: '/second-factor', can: 'session' },
  start: { method: 'POST', path: '/second-factor/start', can: 'session' },
  confirm: { method: 'POST', path: '/second-factor/confirm', can: 'session', touches: ['secondFactor'] },
  renewCodes: { method: 'POST', path: '/second-factor/recovery-codes', can: 'session', touches: ['secondFactor'] },
  disable: { method: 'POST', path: '/second-factor/disable', can: 'session', touches: ['secondFactor'] },
  reset: {
    method: 'DELETE',
    path: '/users/:id/second-factor',
    can: 'users:write',
    touches: ['users', 'secondFactor', 'passkeys'],
  },
})

/** API routes of `passkeys`. */
export const passkeys = addresses('passkeys', {
  list: { method: 'GET', path: '/passkeys', can: 'session' },
  options: { method: 'POST', path: '/passkeys/options', can: 'session' },
  register: { method: 'POST', path: '/passkeys', can: 'session', touches: ['passkeys'] },
  rename: { method: 'PUT', path: '/passkeys/:id', can: 'session', touches: ['passkeys'] },
  remove: { method: 'DELETE', path: '/passkeys/:id', can: 'session', touches: ['passkeys'] },
})
