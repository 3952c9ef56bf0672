import { addresses } from '#kit/addresses.ts'

/** API routes of `isolation`. */
export const isolation = addresses('isolation', {
  last: { method: 'GET', path: '/isolation', can: 'platform:read' },
  run: { method: 'POST', path: '/isolation/run', can: 'platform:write', touches: ['isolation'] },
})
