import { addresses, type EventAddresses } from '#kit/addresses.ts'

const touches = ['rules']

/** API routes of `rules`. */
export const rules = addresses('rules', {
  list: { method: 'GET', path: '/rules', can: 'rules:write' },
  get: { method: 'GET', path: '/rules/:id', can: 'rules:write' },
  create: { method: 'POST', path: '/rules', can: 'rules:write', touches },
  update: { method: 'PUT', path: '/rules/:id', can: 'rules:write', touches },
  remove: { method: 'DELETE', path: '/rules/:id', can: 'rules:write', touches },
  arrange: { method: 'PUT', path: '/rules/order', can: 'rules:write', touches },
  try: { method: 'POST', path: '/rules/try', can: 'rules:write' },
  runs: { method: 'GET', path: '/rules/:id/runs', can: 'rules:write' },
})

/** Event names of `ruleEvents`. */
export const ruleEvents = {
  changed: { channel: 'rules', type: 'rules:changed', durable: true },
} as const satisfies EventAddresses
