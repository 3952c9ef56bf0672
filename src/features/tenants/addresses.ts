import { addresses } from '#kit/addresses.ts'

const touches = ['companies', 'userTenants', 'plans']

/** API routes of `companies`. */
export const companies = addresses('companies', {
  list: { method: 'GET', path: '/tenants', can: 'session' },
  totals: { method: 'GET', path: '/tenants-totals', can: 'platform:read' },
  get: { method: 'GET', path: '/tenants/:id', can: 'session' },
  create: { method: 'POST', path: '/tenants', can: 'platform:write', touches },
  update: { method: 'PUT', path: '/tenantsUpdate/:id', can: 'platform:write', touches },
  trends: { method: 'GET', path: '/tenants-messages', can: 'platform:read' },
  metrics: { method: 'POST', path: '/tenantsMetrics', can: 'platform:read' },
})
