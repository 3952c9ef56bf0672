import { addresses } from '#kit/addresses.ts'

/** API routes of `bulk`. */
export const bulk = addresses('bulk', {
  get: { method: 'GET', path: '/bulk/:id', can: 'session' },
  undo: { method: 'POST', path: '/bulk/:id/undo', can: 'session' },
  pause: { method: 'POST', path: '/bulk/:id/pause', can: 'session' },
  resume: { method: 'POST', path: '/bulk/:id/resume', can: 'session' },
  cancel: { method: 'POST', path: '/bulk/:id/cancel', can: 'session' },
})
