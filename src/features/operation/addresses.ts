import { addresses } from '#kit/addresses.ts'

/** API routes of `operation`. */
export const operation = addresses('operation', {
  environment: { method: 'GET', path: '/tenantsEv', can: 'platform:read' },
  manifest: { method: 'GET', path: '/tenantsPk', can: 'platform:read' },
  queues: { method: 'GET', path: '/bullqueues', can: 'platform:read' },
  reprocess: {
    method: 'POST',
    path: '/bullqueues/:queueName/reprocess',
    can: 'platform:write',
    touches: ['operation'],
  },
  monitor: { method: 'GET', path: '/monitor', can: 'platform:read' },
  update: { method: 'GET', path: '/update-state', can: 'platform:read' },
})
