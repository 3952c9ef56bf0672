import { addresses } from '#kit/addresses.ts'

/** API routes of `distribution`. */
export const distribution = addresses('distribution', {
  why: { method: 'GET', path: '/ticketsDistribution/:id', can: 'tickets:read' },
  tryRules: { method: 'POST', path: '/distribution/trial', can: 'distribution:write', touches: [] },
})
