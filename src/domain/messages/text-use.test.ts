import fc from 'fast-check'
import { expect, test } from 'vitest'
import { textUse } from './text-use.ts'

test.each([
  ['characters alone', 'ação', { maxTextLength: 10, maxTextBytes: null }, { used: 4, most: 10 }],
  ['bytes', 'ação', { maxTextLength: 10, maxTextBytes: 8 }, { used: 6, most: 8 }],
  ['an emoji', '👍', { maxTextLength: 10, maxTextBytes: 8 }, { used: 4, most: 8 }],
  ['more characters than there may be', 'abcd', { maxTextLength: 3, maxTextBytes: 8 }, { used: 4, most: 3 }],
] as const)('%s', (_, text, limits, use) => {
  expect(textUse(text, limits)).toEqual(use)
})

test('counts the bytes that leave', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const { used } = textUse(text, { maxTextLength: 1000, maxTextBytes: 1000 })
      expect(used).toBe(Buffer.byteLength(text))
    }),
  )
})
