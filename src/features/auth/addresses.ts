import { addresses } from '#kit/addresses.ts'

/** API routes of `auth`. */
export const auth = addresses('auth', {
  publicKey: { method: 'GET', path: '/publicEncryptionKey', can: 'public' },
  login: { method: 'POST', path: '/auth/login', can: 'public' },
  refresh: { method: 'POST', path: '/auth/refresh_token', can: 'public' },
  logout: { method: 'POST', path: '/auth/logout', can: 'public' },
  checkSetup: { method: 'POST', path: '/auth/setup/check', can: 'public' },
  confirmEmail: { method: 'POST', path: '/auth/confirm-email', can: 'public' },
  setup: { method: 'POST', path: '/auth/setup', can: 'public' },
})

/** API routes of `entry`. */
export const entry = addresses('entry', {
  enrol: { method: 'POST', path: '/auth/a2f/enrol', can: 'public' },
  validateA2f: { method: 'POST', path: '/auth/validate-a2f', can: 'public' },
  passkeyOptions: { method: 'POST', path: '/auth/passkey/options', can: 'public' },
  passkey: { method: 'POST', path: '/auth/passkey', can: 'public' },
  externalStart: { method: 'POST', path: '/auth/google/start', can: 'public' },
  externalFinish: { method: 'POST', path: '/auth/google/callback', can: 'public' },
})

/** API routes of `recovery`. */
export const recovery = addresses('recovery', {
  request: { method: 'POST', path: '/password-reset', can: 'public' },
  reset: { method: 'POST', path: '/reset-password', can: 'public' },
})

/** API routes of `support`. */
export const support = addresses('support', {
  keyState: { method: 'GET', path: '/masterKey', can: 'platform:write' },
  makeKey: { method: 'POST', path: '/masterKey', can: 'platform:write', touches: ['support'] },
  dropKey: { method: 'DELETE', path: '/masterKey', can: 'platform:write', touches: ['support'] },
  enter: { method: 'POST', path: '/auth/masterkey', can: 'public' },
  access: { method: 'GET', path: '/supportAccess', can: 'session' },
  end: { method: 'DELETE', path: '/supportAccess', can: 'settings:write', touches: ['support'] },
})
