import type { fastReplies } from './fast-replies.ts'
import type { tags } from './tags.ts'

const list = { method: 'GET' } as const

/** Where other screens read the tags; what a table's fields are comes with its own screen alone. */
export const tagList = { ...list, path: '/tags', family: 'tags', name: 'tags.list' } as unknown as typeof tags.ops.list

/** Where other screens read the quick replies. */
export const fastReplyList = {
  ...list,
  path: '/fast-replies',
  family: 'fastReplies',
  name: 'fastReplies.list',
} as unknown as typeof fastReplies.ops.list
