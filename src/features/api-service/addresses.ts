import { addresses, type EventAddresses } from '#kit/addresses.ts'

const touches = ['apiKeys'] as const

/** API routes of `apiKeys`. */
export const apiKeys = addresses('apiKeys', {
  list: { method: 'GET', path: '/api-config', can: 'api:write' },
  get: { method: 'GET', path: '/api-config/:id', can: 'api:write' },
  create: { method: 'POST', path: '/api-config', can: 'api:write', touches },
  update: { method: 'PUT', path: '/api-config/:id', can: 'api:write', touches },
  remove: { method: 'DELETE', path: '/api-config/:id', can: 'api:write', touches },
  renew: { method: 'PUT', path: '/api-config/renew-token/:id', can: 'api:write', touches },
})

/** Event names of `apiKeyEvents`. */
export const apiKeyEvents = {
  changed: { channel: 'apiKeys', type: 'apiKeys:changed', durable: true },
} as const satisfies EventAddresses

/** API routes of `mcpApprovals`. */
export const mcpApprovals = addresses('mcpApprovals', {
  list: { method: 'GET', path: '/mcp-approvals', can: 'api:write' },
  approve: { method: 'POST', path: '/mcp-approvals/:id/approve', can: 'api:write', touches: ['mcpApprovals'] },
  refuse: { method: 'POST', path: '/mcp-approvals/:id/refuse', can: 'api:write', touches: ['mcpApprovals'] },
})

/** Event names of `mcpEvents`. */
export const mcpEvents = {
  approvals: { channel: 'apiKeys', type: 'mcpApprovals:changed', durable: true },
} as const satisfies EventAddresses
