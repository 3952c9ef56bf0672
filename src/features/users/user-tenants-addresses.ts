import { addresses } from '#kit/addresses.ts'

const tenantTouches = ['userTenants', 'users']

/** API routes of `userTenants`. */
export const userTenants = addresses('userTenants', {
  list: { method: 'GET', path: '/userTenants', can: 'platform:read' },
  companies: { method: 'GET', path: '/userTenants/companies', can: 'platform:read' },
  create: { method: 'POST', path: '/userTenants', can: 'platform:write', touches: tenantTouches },
  update: { method: 'PUT', path: '/userTenants/:id', can: 'platform:write', touches: tenantTouches },
  remove: { method: 'DELETE', path: '/userTenants/:id', can: 'platform:write', touches: tenantTouches },
  invite: { method: 'PUT', path: '/userTenants/:id/invite', can: 'platform:write' },
})
