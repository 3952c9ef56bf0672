import { addresses } from '#kit/addresses.ts'

/** API routes of `tagUses`. */
export const tagUses = addresses('tagUses', {
  list: { method: 'GET', path: '/tags/uses', can: 'tags:write' },
  merge: { method: 'POST', path: '/tags/:id/merge', can: 'tags:write', touches: ['tags', 'tagUses'] },
})

/** Route of the queue list, copied since the feature `queues` belongs to a higher layer. */
export const queueList = addresses('queues', { list: { method: 'GET', path: '/queue', can: 'queues:read' } }).list

/** API routes of `fastReplyFiles`. */
export const fastReplyFiles = addresses('fastReplyFiles', {
  add: {
    method: 'POST',
    path: '/fast-replies/:id/files',
    can: 'fast-replies:write',
    upload: { maxFiles: 10, maxBytes: 16 * 1024 * 1024 },
    touches: ['fastReplies'],
  },
  remove: {
    method: 'DELETE',
    path: '/fast-replies/:id/files/:fileId',
    can: 'fast-replies:write',
    touches: ['fastReplies'],
  },
  use: { method: 'POST', path: '/fast-replies/:id/use', can: 'tickets:read' },
})
