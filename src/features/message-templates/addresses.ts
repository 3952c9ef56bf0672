import { addresses, type EventAddresses } from '#kit/addresses.ts'

const touches = ['messageTemplates']
const path = '/message-templates'
const upload = { maxFiles: 1, maxBytes: 100 * 1024 * 1024 }

/** API routes of `messageTemplates`. */
export const messageTemplates = addresses('messageTemplates', {
  list: { method: 'GET', path, can: 'templates:read' },
  get: { method: 'GET', path: `${path}/:id`, can: 'templates:read' },
  create: { method: 'POST', path, can: 'templates:write', touches },
  update: { method: 'PUT', path: `${path}/:id`, can: 'templates:write', touches },
  remove: { method: 'DELETE', path: `${path}/:id`, can: 'templates:write', touches },
  sync: { method: 'POST', path: `${path}/sync`, can: 'templates:write', touches },
  test: { method: 'POST', path: `${path}/:id/test`, can: 'templates:write', upload },
  sample: {
    method: 'POST',
    path: `${path}/sample`,
    can: 'templates:write',
    upload,
  },
})

/** Event names of `templateEvents`. */
export const templateEvents = {
  changed: { channel: 'messageTemplates', type: 'messageTemplates:changed', durable: true },
} as const satisfies EventAddresses
