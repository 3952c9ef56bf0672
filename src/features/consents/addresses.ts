import { addresses } from '#kit/addresses.ts'

/** API routes of `consents`. */
export const consents = addresses('consents', {
  list: { method: 'GET', path: '/consents', can: 'consents:read' },
  create: { method: 'POST', path: '/consents', can: 'consents:write', touches: ['consents'] },
  export: { method: 'GET', path: '/consents/export', can: 'consents:export' },
})
