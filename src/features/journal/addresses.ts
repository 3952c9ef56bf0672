import { addresses } from '#kit/addresses.ts'

/** API routes of `journal`. */
export const journal = addresses('journal', {
  list: { method: 'GET', path: '/journal/set-aside', can: 'journal:write' },
  retry: { method: 'POST', path: '/journal/set-aside/retry', can: 'journal:write', touches: ['journal'] },
  platformList: { method: 'GET', path: '/journal/platform/set-aside', can: 'platform:read' },
  platformRetry: {
    method: 'POST',
    path: '/journal/platform/set-aside/retry',
    can: 'platform:write',
    touches: ['journal'],
  },
})
