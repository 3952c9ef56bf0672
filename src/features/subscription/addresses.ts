import { addresses } from '#kit/addresses.ts'

/** The addresses of `subscription`. */
export const subscription = addresses('subscription', {
  version: { method: 'GET', path: '/check-version', can: 'session' },
})
