import { addresses } from '#kit/addresses.ts'

const can = 'connections:write'
const path = '/provider-signups'

/** API routes of `providerSignups`. */
export const providerSignups = addresses('providerSignups', {
  begin: { method: 'POST', path, can },
  finish: { method: 'POST', path: `${path}/finish`, can },
  connect: {
    method: 'POST',
    path: `${path}/:id/connect`,
    can,
    touches: ['connections', 'providerNumbers', 'messageTemplates'],
  },
})
