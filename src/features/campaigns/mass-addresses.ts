import { addresses } from '#kit/addresses.ts'

const can = 'campaigns:write'
const touches = ['dispatches']

/** Addresses of `dispatches`. */
export const dispatches = addresses('dispatches', {
  list: { method: 'GET', path: '/dispatches', can },
  get: { method: 'GET', path: '/dispatches/:id', can },
  create: {
    method: 'POST',
    path: '/dispatches',
    can,
    upload: { maxFiles: 1, maxBytes: 16 * 1024 * 1024 },
    touches,
  },
  plan: { method: 'POST', path: '/dispatches/plan', can },
  lines: { method: 'POST', path: '/dispatches/lines', can, upload: { maxFiles: 1, maxBytes: 1024 * 1024 } },
  groups: { method: 'GET', path: '/dispatches/groups', can },
  pause: { method: 'POST', path: '/dispatches/:id/pause', can, touches },
  resume: { method: 'POST', path: '/dispatches/:id/resume', can, touches },
  cancel: { method: 'POST', path: '/dispatches/:id/cancel', can, touches },
  retry: { method: 'POST', path: '/dispatches/:id/retry', can, touches },
  contacts: { method: 'GET', path: '/dispatches/:id/contacts', can },
})
