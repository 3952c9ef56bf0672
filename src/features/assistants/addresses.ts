import { addresses, type EventAddresses } from '#kit/addresses.ts'

const touches = ['assistants']

/** API routes of `assistants`. */
export const assistants = addresses('assistants', {
  list: { method: 'GET', path: '/assistants', can: 'assistants:write' },
  choices: { method: 'GET', path: '/assistants/choices', can: 'flows:write' },
  costs: { method: 'GET', path: '/assistants/costs', can: 'assistants:write' },
  calls: { method: 'GET', path: '/assistants/calls', can: 'assistants:write' },
  warnings: { method: 'GET', path: '/assistants/warnings', can: 'assistants:write' },
  connections: { method: 'GET', path: '/assistants/connections', can: 'assistants:write' },
  create: { method: 'POST', path: '/assistants', can: 'assistants:write', touches },
  update: { method: 'PUT', path: '/assistants/:id', can: 'assistants:write', touches },
  remove: { method: 'DELETE', path: '/assistants/:id', can: 'assistants:write', touches },
  test: { method: 'POST', path: '/assistants/:id/test', can: 'assistants:write', touches },
  modelsFor: { method: 'POST', path: '/assistants/models', can: 'assistants:write' },
  models: { method: 'POST', path: '/assistants/:id/models', can: 'assistants:write' },
})

/** API routes of `connectionAssistants`. */
export const connectionAssistants = addresses('connectionAssistants', {
  get: { method: 'GET', path: '/whatsapp/:id/assistants', can: 'assistants:write' },
  set: { method: 'PUT', path: '/whatsapp/:id/assistants', can: 'assistants:write', touches },
})

/** API routes of `queueAssistants`. */
export const queueAssistants = addresses('queueAssistants', {
  list: { method: 'GET', path: '/assistants/queues', can: 'assistants:write' },
  set: { method: 'PUT', path: '/queue/:id/assistants', can: 'assistants:write', touches: ['queueAssistants'] },
})

/** API routes of `assistantTurns`. */
export const assistantTurns = addresses('assistantTurns', {
  list: { method: 'GET', path: '/tickets/:id/turns', can: 'tickets:read' },
})

/** API routes of `copilot`. */
export const copilot = addresses('copilot', {
  ask: { method: 'POST', path: '/tickets/:id/copilot', can: 'copilot:use' },
  keep: { method: 'PUT', path: '/copilot/:answerId', can: 'copilot:use' },
})

/** API routes of `transcripts`. */
export const transcripts = addresses('transcripts', {
  make: { method: 'POST', path: '/messages/:recordingId/transcript', can: 'copilot:use' },
})

/** API routes of `assistantAnswers`. */
export const assistantAnswers = addresses('assistantAnswers', {
  receive: {
    method: 'POST',
    path: '/assistants/answers/:token',
    can: 'public',
    upload: { maxFiles: 4, maxBytes: 16 * 1024 * 1024 },
    takesAny: true,
  },
})

/** API routes of `phoneAssistants`; the id is the company's own. */
export const phoneAssistants = addresses('phoneAssistants', {
  assistants: { method: 'GET', path: '/vapiAssistants/:id', can: 'assistants:call' },
  numbers: { method: 'GET', path: '/vapiPhoneNumbers/:id', can: 'assistants:call' },
  call: { method: 'POST', path: '/vapiCall/:id', can: 'assistants:call' },
})

/** Event names of `assistantEvents`. */
export const assistantEvents = {
  warned: { channel: 'assistants', type: 'assistants:warned', durable: true },
} as const satisfies EventAddresses
