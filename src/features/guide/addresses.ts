import { addresses } from '#kit/addresses.ts'

/** API routes of `guide`. */
export const guide = addresses('guide', {
  steps: { method: 'GET', path: '/first-steps', can: 'session' },
  health: { method: 'GET', path: '/health-of-screens', can: 'session' },
})
