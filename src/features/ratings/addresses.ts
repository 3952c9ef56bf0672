import { addresses } from '#kit/addresses.ts'

/** API routes of `ratings`. */
export const ratings = addresses('ratings', {
  get: { method: 'GET', path: '/tenants/rating', can: 'settings:read' },
  set: { method: 'PUT', path: '/tenants/rating', can: 'ratings:write', touches: ['ratings'] },
  setTexts: { method: 'PUT', path: '/tenantsRatingData/:id', can: 'ratings:write', touches: ['ratings'] },
})

/** API routes of `evaluations`. */
export const evaluations = addresses('evaluations', {
  list: { method: 'GET', path: '/ticketEvaluations', can: 'ratings:read' },
  logs: { method: 'GET', path: '/ticketEvaluations/:ticketId/logs', can: 'tickets:read' },
  remove: { method: 'DELETE', path: '/ticketEvaluations/:id', can: 'ratings:delete', touches: ['evaluations'] },
})
