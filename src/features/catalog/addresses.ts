import { addresses, tableAddresses } from '#kit/addresses.ts'

/** What tags are called by. */
export const tagTable = {
  name: 'tags',
  path: '/tags',
  can: { read: 'tags:read', write: 'tags:write' },
} as const

/** The addresses of `tags`. */
export const tags = tableAddresses(tagTable)

/** The addresses of `tagUses`. */
export const tagUses = addresses('tagUses', {
  list: { method: 'GET', path: '/tags/uses', can: 'tags:write' },
  merge: { method: 'POST', path: '/tags/:id/merge', can: 'tags:write', touches: ['tags', 'tagUses'] },
})

/** Where queues are read, as their feature, which stands above, has it. */
export const queueList = addresses('queues', { list: { method: 'GET', path: '/queue', can: 'queues:read' } }).list

/** What quick replies are called by. */
export const fastReplyTable = {
  name: 'fastReplies',
  path: '/fast-replies',
  can: { read: 'tickets:read', write: 'fast-replies:write' },
} as const

/** The addresses of `fastReplies`. */
export const fastReplies = tableAddresses(fastReplyTable)

/** The addresses of `fastReplyFiles`. */
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

/** What reasons are called by. */
export const reasonTable = {
  name: 'reasons',
  path: '/reasons',
  can: { read: 'tickets:read', write: 'reasons:write' },
} as const

/** The addresses of `reasons`. */
export const reasons = tableAddresses(reasonTable)

/** What farewells are called by. */
export const farewellTable = {
  name: 'farewells',
  path: '/farewellPrivateMessage',
  can: { read: 'tickets:read', write: 'farewells:write' },
} as const

/** The addresses of `farewells`. */
export const farewells = tableAddresses(farewellTable)

/** The addresses of `allFarewells`. */
export const allFarewells = addresses('allFarewells', {
  remove: { method: 'DELETE', path: '/farewellPrivateMessageAll', can: 'farewells:write', touches: ['farewells'] },
})
