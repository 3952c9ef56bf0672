import { addresses, type EventAddresses } from '#kit/addresses.ts'

const touches = ['webhookEndpoints'] as const

/** API routes of `webhookEndpoints`. */
export const webhookEndpoints = addresses('webhookEndpoints', {
  list: { method: 'GET', path: '/webhooks', can: 'webhooks:write' },
  get: { method: 'GET', path: '/webhooks/:id', can: 'webhooks:write' },
  create: { method: 'POST', path: '/webhooks', can: 'webhooks:write', touches },
  update: { method: 'PUT', path: '/webhooks/:id', can: 'webhooks:write', touches },
  remove: { method: 'DELETE', path: '/webhooks/:id', can: 'webhooks:write', touches },
  rotate: { method: 'POST', path: '/webhooks/:id/rotate', can: 'webhooks:write', touches },
  test: { method: 'POST', path: '/webhooks/:id/test', can: 'webhooks:write', touches: ['webhookDeliveries'] },
  resend: { method: 'POST', path: '/webhooks/:id/resend', can: 'webhooks:write', touches: ['webhookDeliveries'] },
})

/** API routes of `webhookDeliveries`. */
export const webhookDeliveries = addresses('webhookDeliveries', {
  list: { method: 'GET', path: '/webhooks/:id/deliveries', can: 'webhooks:write' },
  get: { method: 'GET', path: '/deliveries/:deliveryId', can: 'webhooks:write' },
  resend: {
    method: 'POST',
    path: '/deliveries/:deliveryId/resend',
    can: 'webhooks:write',
    touches: ['webhookDeliveries'],
  },
})

/** Event names of `webhookEndpointEvents`. */
export const webhookEndpointEvents = {
  changed: { channel: 'webhookEndpoints', type: 'webhookEndpoints:changed', durable: true },
} as const satisfies EventAddresses
