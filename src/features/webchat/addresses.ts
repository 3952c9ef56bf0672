import { addresses } from '#kit/addresses.ts'

/** Maximum size of a visitor's file, in bytes. */
export const WEBCHAT_MAX_FILE = 16 * 1024 * 1024

/** API routes of `webchat`. */
export const webchat = addresses('webchat', {
  config: { method: 'GET', path: '/webchat/config', can: 'public' },
  session: { method: 'POST', path: '/webchat/session', can: 'public' },
  list: { method: 'GET', path: '/webchat/messages', can: 'public' },
  send: { method: 'POST', path: '/webchat/messages', can: 'public' },
  upload: {
    method: 'POST',
    path: '/webchat/upload',
    can: 'public',
    upload: { maxFiles: 1, maxBytes: WEBCHAT_MAX_FILE },
  },
  act: { method: 'POST', path: '/webchat/messages/:messageId/acts', can: 'public' },
  typing: { method: 'POST', path: '/webchat/typing', can: 'public' },
  read: { method: 'POST', path: '/webchat/read', can: 'public' },
  end: { method: 'POST', path: '/webchat/end', can: 'public' },
  transcript: { method: 'GET', path: '/webchat/transcript', can: 'public' },
})

/** API routes of `webchatChannels`. */
export const webchatChannels = addresses('webchatChannels', {
  list: { method: 'GET', path: '/webchat/channels', can: 'webchat:write' },
  create: {
    method: 'POST',
    path: '/webchat/channels',
    can: 'webchat:write',
    touches: ['webchatChannels', 'connections'],
  },
  update: {
    method: 'PUT',
    path: '/webchat/channels/:id',
    can: 'webchat:write',
    touches: ['webchatChannels', 'connections'],
  },
  renew: { method: 'POST', path: '/webchat/channels/:id/token', can: 'webchat:write', touches: ['webchatChannels'] },
  test: { method: 'POST', path: '/webchat/channels/:id/test', can: 'webchat:write' },
  // Not a POST: POST responses are stored for repeats, and this secret is shown only once.
  newSecret: {
    method: 'PUT',
    path: '/webchat/channels/:id/secret',
    can: 'webchat:write',
    touches: ['webchatChannels'],
  },
})
