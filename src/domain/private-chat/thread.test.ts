import fc from 'fast-check'
import { expect, it } from 'vitest'
import { conversationOf, mentionedPeople } from './conversation.ts'
import { readersOf, withMessages, withPositions } from './thread.ts'

it('names a conversation of two people the same from both sides, and a team by itself', () => {
  expect(conversationOf(5, { id: 3, isGroup: false })).toBe('u:3:5')
  expect(conversationOf(3, { id: 5, isGroup: false })).toBe('u:3:5')
  expect(conversationOf(3, { id: 5, isGroup: true })).toBe('g:5')
})

it('mentions those whose name stands behind an @', () => {
  const people = [{ name: 'Ana Souza' }, { name: 'Bia' }]
  expect(mentionedPeople('@Bia, veja', people)).toEqual([people[1]])
  expect(mentionedPeople('Ana Souza e bia@guiche.dev', people)).toEqual([])
})

const message = fc.record({
  id: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
  revision: fc.integer({ min: 0, max: 4 }),
})
// A message keeps its place; what its words are follows from its revision.
const read = ({ id, revision }: { id: string; revision: number }) => ({
  id,
  revision,
  timestamp: 'abcde'.indexOf(id) % 3,
  senderId: 1,
})
const shuffled = <T>(items: readonly T[]) =>
  fc.shuffledSubarray([...items, ...items], { minLength: items.length * 2, maxLength: items.length * 2 })

it('comes to the same thread in whatever order and however often its messages and positions come', () => {
  const cases = fc
    .array(message, { maxLength: 12 })
    .chain((all) => fc.tuple(fc.constant(all), shuffled(all), shuffled(all)))
  fc.assert(
    fc.property(cases, ([all, one, other]) => {
      const thread = (some: typeof all) =>
        some.reduce(
          (known, next) => withMessages(known, [read(next)]),
          withMessages([], [read(all[0] ?? { id: 'a', revision: 0 })]),
        )
      expect(thread(one)).toEqual(thread(other))
      const places = (some: typeof all) =>
        some
          .reduce<readonly { userId: number; timestamp: number; id: string }[]>(
            (known, { id, revision }) => withPositions(known, [{ userId: revision, timestamp: 0, id }]),
            [],
          )
          .toSorted((a, b) => a.userId - b.userId)
      expect(places(one)).toEqual(places(other))
    }),
  )
})

it('counts as readers those who have come to the message, not who wrote it', () => {
  const positions = [
    { userId: 1, timestamp: 9, id: 'z' },
    { userId: 2, timestamp: 5, id: 'b' },
    { userId: 3, timestamp: 5, id: 'a' },
  ]
  expect(readersOf({ timestamp: 5, id: 'b', senderId: 1 }, positions)).toEqual([positions[1]])
})
