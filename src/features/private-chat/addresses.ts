import { addresses, type EventAddresses } from '#kit/addresses.ts'

const can = 'private-chat:use'
const touches: readonly string[] = []

/** API routes of `privateChat`. */
export const privateChat = addresses('privateChat', {
  colleagues: { method: 'GET', path: '/users/chat-privado', can },
  groups: { method: 'GET', path: '/users/grupo-privado/:userId', can },
  send: {
    method: 'POST',
    path: '/chat-privado/msg',
    can,
    upload: { maxFiles: 10, maxBytes: 100 * 1024 * 1024 },
    touches,
  },
  forward: { method: 'POST', path: '/chat-privado/forward', can, touches },
  list: { method: 'GET', path: '/chat-privado/msg/:contactId', can },
  export: { method: 'GET', path: '/chat-privado/msg/:contactId/pdf', can },
  read: { method: 'PUT', path: '/chat-privado/msg/:contactId/read', can, touches },
  typing: { method: 'PUT', path: '/chat-privado/msg/:contactId/typing', can, touches },
  edit: { method: 'PUT', path: '/chat-privado/msg/:id', can, touches },
  remove: { method: 'DELETE', path: '/chat-privado/msg/:id', can, touches },
  react: { method: 'PUT', path: '/chat-privado/msg/:id/reaction', can, touches },
  unreact: { method: 'DELETE', path: '/chat-privado/msg/:id/reaction', can, touches },
  unread: { method: 'GET', path: '/chat-privado/msgs/mensagens', can },
  unreadOfGroups: { method: 'GET', path: '/chat-privado/groups/mensagens', can },
  readAll: { method: 'PUT', path: '/chat-privado/msgMarcarTodasLidas', can, touches },
  search: { method: 'GET', path: '/chat-privado/search', can },
})

/** Event names of `privateChatEvents`. */
export const privateChatEvents = {
  create: { channel: 'msg-private-msg', type: 'private:create', durable: true },
  update: { channel: 'msg-private-msg', type: 'private:update', durable: true },
  read: { channel: 'unread-msg-private-msg', type: 'private:read', durable: true },
  typing: { channel: 'msg-private-msg', type: 'private:typing', durable: false },
} as const satisfies EventAddresses
