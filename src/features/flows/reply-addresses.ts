import { addresses } from '#kit/addresses.ts'

const touches = ['autoReplies']
const can = 'flows:write'

/** Routes of `autoReplies`. */
export const autoReplies = addresses('autoReplies', {
  list: { method: 'GET', path: '/auto-reply', can },
  get: { method: 'GET', path: '/auto-reply/:id', can },
  create: { method: 'POST', path: '/auto-reply', can, touches },
  update: { method: 'PUT', path: '/auto-reply/:id', can, touches },
  remove: { method: 'DELETE', path: '/auto-reply/:id', can, touches },
  createStep: { method: 'POST', path: '/auto-reply/:id/steps', can, touches },
  updateStep: { method: 'PUT', path: '/auto-reply/:id/steps/:stepId', can, touches },
  removeStep: { method: 'DELETE', path: '/auto-reply/:id/steps/:stepId', can, touches },
  createAction: { method: 'POST', path: '/auto-reply-action', can, touches },
  updateAction: { method: 'PUT', path: '/auto-reply-action/:actionId', can, touches },
  removeAction: { method: 'DELETE', path: '/auto-reply-action/:actionId', can, touches },
  convert: {
    method: 'POST',
    path: '/auto-reply/:id/convert',
    can,
    touches: ['autoReplies', 'flows', 'ticketCommands'],
  },
})
