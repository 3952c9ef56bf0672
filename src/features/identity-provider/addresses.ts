import { addresses } from '#kit/addresses.ts'

/** API routes of `identityProvider`. */
export const identityProvider = addresses('identityProvider', {
  get: { method: 'GET', path: '/identity-provider', can: 'platform:read' },
  save: { method: 'PUT', path: '/identity-provider', can: 'platform:write', touches: ['identityProvider'] },
  test: { method: 'POST', path: '/identity-provider/test', can: 'platform:write' },
})
