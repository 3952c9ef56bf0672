import { addresses, type EventAddresses } from '#kit/addresses.ts'

/** Addresses of `lab`. */
export const lab = addresses('lab', {
  list: { method: 'GET', path: '/lab', can: 'lab:use' },
  create: { method: 'POST', path: '/lab/phones', can: 'lab:use', touches: ['lab', 'connections'] },
  createGroup: { method: 'POST', path: '/lab/groups', can: 'lab:use', touches: ['lab'] },
  changeGroup: {
    method: 'PUT',
    path: '/lab/groups/:id',
    can: 'lab:use',
    upload: { maxFiles: 1, maxBytes: 10 * 1024 * 1024 },
    touches: ['lab'],
  },
  changeMember: { method: 'POST', path: '/lab/groups/:id/members', can: 'lab:use', touches: ['lab'] },
  remove: { method: 'DELETE', path: '/lab/phones/:id', can: 'lab:use', touches: ['lab'] },
  messages: { method: 'GET', path: '/lab/phones/:id/messages', can: 'lab:use' },
  send: {
    method: 'POST',
    path: '/lab/phones/:id/messages',
    can: 'lab:use',
    upload: { maxFiles: 1, maxBytes: 100 * 1024 * 1024 },
  },
  burst: { method: 'POST', path: '/lab/phones/:id/burst', can: 'lab:use' },
  keep: { method: 'POST', path: '/lab/phones/:id/history', can: 'lab:use', touches: ['lab'] },
  ring: { method: 'POST', path: '/lab/phones/:id/ring', can: 'lab:use', touches: [] },
  act: { method: 'POST', path: '/lab/phones/:id/messages/:messageId/acts', can: 'lab:use' },
  clear: { method: 'DELETE', path: '/lab/phones/:id/messages', can: 'lab:use', touches: ['lab'] },
  typing: { method: 'POST', path: '/lab/phones/:id/typing', can: 'lab:use' },
  read: { method: 'POST', path: '/lab/phones/:id/read', can: 'lab:use' },
  setFaults: { method: 'PUT', path: '/lab/phones/:id/faults', can: 'lab:use', touches: ['lab'] },
  device: { method: 'POST', path: '/lab/devices/:id', can: 'lab:use', touches: [] },
  trail: { method: 'GET', path: '/lab/phones/:id/messages/:messageId/trail', can: 'lab:use' },
})

/** Names of `labEvents`. */
export const labEvents = {
  message: { channel: 'lab', type: 'lab:message', durable: true },
  status: { channel: 'lab', type: 'lab:status', durable: true },
  changed: { channel: 'lab', type: 'lab:changed', durable: true },
  typing: { channel: 'lab', type: 'lab:typing', durable: false },
  fault: { channel: 'lab', type: 'lab:fault', durable: false },
} as const satisfies EventAddresses
