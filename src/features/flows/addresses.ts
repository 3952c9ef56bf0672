import { addresses } from '#kit/addresses.ts'

const touches = ['flows', 'ticketCommands']

/** Routes of `flows`; the list is `ticketCommands.chatFlows`. */
export const flows = addresses('flows', {
  create: { method: 'POST', path: '/chat-flow', can: 'flows:write', touches },
  get: { method: 'GET', path: '/chat-flow/:id', can: 'flows:write' },
  update: { method: 'PUT', path: '/chat-flow/:id', can: 'flows:write', touches },
  remove: { method: 'DELETE', path: '/chat-flow/:id', can: 'flows:write', touches },
  duplicate: { method: 'POST', path: '/chat-flow-duplicate', can: 'flows:write', touches },
  import: { method: 'PUT', path: '/chat-flow-import/:id', can: 'flows:write', touches },
  addMedia: {
    method: 'POST',
    path: '/chat-flow/:id/media',
    can: 'flows:write',
    upload: { maxFiles: 1, maxBytes: 16 * 1024 * 1024 },
  },
  publish: { method: 'POST', path: '/chat-flow/:id/publish', can: 'flows:write', touches },
  versions: { method: 'GET', path: '/chat-flow/:id/versions', can: 'flows:write' },
  version: { method: 'GET', path: '/chat-flow/:id/versions/:version', can: 'flows:write' },
  promote: { method: 'POST', path: '/chat-flow/:id/trial/promote', can: 'flows:write', touches },
  endTrial: { method: 'DELETE', path: '/chat-flow/:id/trial', can: 'flows:write', touches },
  presence: { method: 'POST', path: '/chat-flow/:id/presence', can: 'flows:write' },
  simulate: { method: 'POST', path: '/chat-flow/:id/simulate', can: 'flows:write' },
  listCases: { method: 'GET', path: '/chat-flow/:id/cases', can: 'flows:write' },
  createCase: { method: 'POST', path: '/chat-flow/:id/cases', can: 'flows:write', touches },
  caseOfTicket: { method: 'POST', path: '/chat-flow/:id/cases/of-ticket', can: 'flows:write', touches },
  removeCase: { method: 'DELETE', path: '/chat-flow/:id/cases/:caseId', can: 'flows:write', touches },
  runCases: { method: 'POST', path: '/chat-flow/:id/cases/run', can: 'flows:write' },
  restore: { method: 'POST', path: '/chat-flow/:id/versions/:version/restore', can: 'flows:write', touches },
})

/** Channels and types of `flowEvents`. */
export const flowEvents = {
  presence: { channel: 'chatFlow', type: 'presence', durable: false },
  changed: { channel: 'chatFlow', type: 'changed', durable: false },
} as const

/** Routes of `ticketFlow`. */
export const ticketFlow = addresses('ticketFlow', {
  get: { method: 'GET', path: '/tickets/:id/flow', can: 'tickets:read' },
})
