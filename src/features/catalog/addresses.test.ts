import { expect, test } from 'vitest'
import { fastReplyList, tagList } from './addresses.ts'
import { fastReplies } from './fast-replies.ts'
import { tags } from './tags.ts'

test('the addresses are those of the tables', () => {
  expect(tags.ops.list).toMatchObject(tagList)
  expect(fastReplies.ops.list).toMatchObject(fastReplyList)
})
