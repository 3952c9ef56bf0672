import { addresses } from '#kit/addresses.ts'

const touches = ['billing'] as const

/** API routes of `billing`: what the installation charges its companies. */
export const billing = addresses('billing', {
  account: { method: 'GET', path: '/asaasAccount', can: 'platform:write' },
  saveAccount: { method: 'PUT', path: '/tenantsUpdateAsaasToken', can: 'platform:write', touches },
  companies: { method: 'GET', path: '/tenantsAsaas', can: 'platform:write' },
  payments: { method: 'GET', path: '/tenantsAsaas/:tenantId', can: 'platform:write' },
  start: { method: 'POST', path: '/tenantsAsaas/:tenantId', can: 'platform:write', touches },
  stop: { method: 'DELETE', path: '/tenantsAsaas/:tenantId', can: 'platform:write', touches },
  refresh: { method: 'POST', path: '/tenantsAsaas/:tenantId/refresh', can: 'platform:write', touches },
  own: { method: 'GET', path: '/ownPayments', can: 'billing:read' },
  refreshOwn: { method: 'POST', path: '/ownPayments/refresh', can: 'billing:read', touches },
  receive: { method: 'POST', path: '/asaas/webhook', can: 'public' },
})
