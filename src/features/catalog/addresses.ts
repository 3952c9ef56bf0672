import { tableAddresses } from '#kit/addresses.ts'

/** What tags are called by. */
export const tagTable = {
  name: 'tags',
  path: '/tags',
  can: { read: 'tags:read', write: 'tags:write' },
} as const

/** The addresses of `tags`. */
export const tags = tableAddresses(tagTable)

/** What quick replies are called by. */
export const fastReplyTable = {
  name: 'fastReplies',
  path: '/fast-replies',
  can: { read: 'tickets:read', write: 'fast-replies:write' },
} as const

/** The addresses of `fastReplies`. */
export const fastReplies = tableAddresses(fastReplyTable)
