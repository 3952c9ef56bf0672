import { addresses, type EventAddresses } from '#kit/addresses.ts'

/** API routes of `macros`. */
export const macros = addresses('macros', {
  list: { method: 'GET', path: '/macros', can: 'tickets:write' },
  get: { method: 'GET', path: '/macros/:id', can: 'tickets:write' },
  preview: { method: 'GET', path: '/macros/:id/preview/:ticketId', can: 'tickets:write' },
  create: { method: 'POST', path: '/macros', can: 'macros:write', touches: ['macros'] },
  update: { method: 'PUT', path: '/macros/:id', can: 'macros:write', touches: ['macros'] },
  remove: { method: 'DELETE', path: '/macros/:id', can: 'macros:write', touches: ['macros'] },
})

/** Event names of `macroEvents`. */
export const macroEvents = {
  changed: { channel: 'macros', type: 'macros:changed', durable: true },
} as const satisfies EventAddresses
