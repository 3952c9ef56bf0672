import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isBefore, lowersUnread } from './reading.ts'

const owner = 1
const colleague = 2
const named = 3
const own = { userId: owner, isGroup: false, groupUserIds: [] }
const free = { userId: null, isGroup: false, groupUserIds: [] }
const group = { userId: null, isGroup: true, groupUserIds: [named] }

test.each([
  ['the owner reads', own, owner, false, true],
  ['a colleague reads', own, colleague, false, false],
  ['the owner peeks', own, owner, true, false],
  ['anybody reads what nobody owns', free, colleague, false, true],
  ['anybody peeks at what nobody owns', free, colleague, true, false],
  ['a named user reads the group', group, named, false, true],
  ['another reads the group', group, colleague, false, false],
  ['a named user peeks at the group', group, named, true, false],
  ['the owner reads a group of others', { ...group, userId: owner }, owner, false, true],
  ['anybody reads a group without owner and names', { ...group, groupUserIds: [] }, colleague, false, true],
  ['names on a conversation mean nothing', { ...own, groupUserIds: [named] }, named, false, false],
])('%s', (_, ticket, id, isPeeking, lowers) => {
  expect(lowersUnread(ticket, { id, isPeeking })).toBe(lowers)
})

const id = fc.integer({ min: 1, max: 4 })
const ticket = fc.record({
  userId: fc.option(id),
  isGroup: fc.boolean(),
  groupUserIds: fc.uniqueArray(id, { maxLength: 3 }),
})

test('of a conversation with an owner, only the owner lowers; peeking lowers nothing of anybody', () => {
  fc.assert(
    fc.property(ticket, id, (facts, reader) => {
      expect(lowersUnread(facts, { id: reader, isPeeking: true })).toBe(false)
      const lowers = lowersUnread(facts, { id: reader })
      if (facts.userId !== null && !facts.isGroup) expect(lowers).toBe(reader === facts.userId)
      if (facts.isGroup && facts.groupUserIds.includes(reader)) expect(lowers).toBe(true)
      // Some reader can always lower the count: no message stays unread forever.
      expect([1, 2, 3, 4].some((one) => lowersUnread(facts, { id: one }))).toBe(true)
    }),
  )
})

test('places are ordered by time, then by number', () => {
  expect(isBefore({ timestamp: 1, seq: 9 }, { timestamp: 2, seq: 1 })).toBe(true)
  expect(isBefore({ timestamp: 2, seq: 1 }, { timestamp: 2, seq: 2 })).toBe(true)
  expect(isBefore({ timestamp: 2, seq: 2 }, { timestamp: 2, seq: 2 })).toBe(false)
})
