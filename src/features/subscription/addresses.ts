import { addresses } from '#kit/addresses.ts'

/** API routes of `subscription`. */
export const subscription = addresses('subscription', {
  version: { method: 'GET', path: '/check-version', can: 'session' },
})
