import { addresses, type EventAddresses } from '#kit/addresses.ts'

/** Routes of `pipelines`. */
export const pipelines = addresses('pipelines', {
  list: { method: 'GET', path: '/pipelines', can: 'funnel:read' },
  get: { method: 'GET', path: '/pipelines/:id', can: 'funnel:read' },
  create: { method: 'POST', path: '/pipelines', can: 'pipelines:write', touches: ['pipelines', 'opportunities'] },
  update: { method: 'PUT', path: '/pipelines/:id', can: 'pipelines:write', touches: ['pipelines', 'opportunities'] },
  remove: { method: 'DELETE', path: '/pipelines/:id', can: 'pipelines:write', touches: ['pipelines', 'opportunities'] },
  replace: {
    method: 'POST',
    path: '/pipelines/:id/replace',
    can: 'pipelines:write',
    touches: ['pipelines', 'opportunities'],
  },
})

/** Routes of `pipelineStages`. */
export const pipelineStages = addresses('pipelineStages', {
  list: { method: 'GET', path: '/stages', can: 'funnel:read' },
  create: { method: 'POST', path: '/stages', can: 'pipelines:write', touches: ['pipelines', 'opportunities'] },
  update: { method: 'PUT', path: '/stages/:id', can: 'pipelines:write', touches: ['pipelines', 'opportunities'] },
  remove: { method: 'DELETE', path: '/stages/:id', can: 'pipelines:write', touches: ['pipelines', 'opportunities'] },
  replace: {
    method: 'POST',
    path: '/stages/:id/replace',
    can: 'pipelines:write',
    touches: ['pipelines', 'opportunities'],
  },
})

/** Routes of `opportunities`. */
export const opportunities = addresses('opportunities', {
  list: { method: 'GET', path: '/opportunities', can: 'funnel:read' },
  board: { method: 'GET', path: '/opportunities/board', can: 'funnel:read' },
  column: { method: 'GET', path: '/opportunities/column', can: 'funnel:read' },
  cards: { method: 'GET', path: '/opportunities/cards', can: 'funnel:read' },
  dashboard: { method: 'GET', path: '/opportunities/dashboard', can: 'funnel:read' },
  get: { method: 'GET', path: '/opportunities/:id', can: 'funnel:read' },
  history: { method: 'GET', path: '/opportunities/:id/history', can: 'funnel:read' },
  ofContact: { method: 'GET', path: '/opportunitiesContact/:contactId', can: 'funnel:read' },
  create: { method: 'POST', path: '/opportunities', can: 'funnel:write', touches: ['opportunities'] },
  update: { method: 'PUT', path: '/opportunities/:id', can: 'funnel:write', touches: ['opportunities'] },
  move: { method: 'PUT', path: '/opportunities/:id/move', can: 'funnel:write', touches: [] },
  remove: { method: 'DELETE', path: '/opportunities/:id', can: 'funnel:write', touches: ['opportunities'] },
  bulk: { method: 'POST', path: '/opportunities/bulk', can: 'funnel:write', touches: ['opportunities'] },
  export: { method: 'POST', path: '/opportunities/export', can: 'funnel:export', touches: [] },
})

/** Routes of `opportunityNotes`. */
export const opportunityNotes = addresses('opportunityNotes', {
  list: { method: 'GET', path: '/opportunities/:id/notes', can: 'funnel:read' },
  create: { method: 'POST', path: '/opportunities/:id/notes', can: 'funnel:write', touches: ['opportunityNotes'] },
  mail: { method: 'POST', path: '/opportunities/:id/email', can: 'funnel:write', touches: ['opportunityNotes'] },
  remove: { method: 'DELETE', path: '/opportunityNotes/:noteId', can: 'funnel:write', touches: ['opportunityNotes'] },
})

/** Channels and types of `funnelEvents`. */
export const funnelEvents = {
  moved: { channel: 'opportunity', type: 'opportunity:changed', durable: true },
  pipelines: { channel: 'opportunity', type: 'pipelines:changed', durable: true },
} as const satisfies EventAddresses
