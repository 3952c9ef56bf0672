import { tableAddresses } from '#kit/addresses.ts'

/** Name, path and permissions of the table of tags. */
export const tagTable = {
  name: 'tags',
  path: '/tags',
  can: { read: 'tags:read', write: 'tags:write' },
} as const

/** API routes of `tags`. */
export const tags = tableAddresses(tagTable)

/** Name, path and permissions of the table of quick replies. */
export const fastReplyTable = {
  name: 'fastReplies',
  path: '/fast-replies',
  can: { read: 'tickets:read', write: 'fast-replies:write' },
} as const

/** API routes of `fastReplies`. */
export const fastReplies = tableAddresses(fastReplyTable)

/** Name, path and permissions of the table of reasons. */
export const reasonTable = {
  name: 'reasons',
  path: '/reasons',
  can: { read: 'tickets:read', write: 'reasons:write' },
} as const

/** API routes of `reasons`. */
export const reasons = tableAddresses(reasonTable)

/** Name, path and permissions of the table of farewells. */
export const farewellTable = {
  name: 'farewells',
  path: '/farewellPrivateMessage',
  can: { read: 'tickets:read', write: 'farewells:write' },
} as const

/** API routes of `farewells`. */
export const farewells = tableAddresses(farewellTable)
