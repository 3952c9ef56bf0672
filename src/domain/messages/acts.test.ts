import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ActRefusal, type ActTarget, type ActType, isOneEmoji, stateAfter, whyNotAct } from './acts.ts'

const NOW = 1_760_000_000_000
const MINUTE = 60_000
const rules = { react: true, editMinutes: 15, revokeHours: 48 }
const ours: ActTarget = {
  fromMe: true,
  isNote: false,
  isDeleted: false,
  type: 'text',
  hasText: true,
  status: 'delivered',
  at: NOW - MINUTE,
}
const theirs: ActTarget = { ...ours, fromMe: false, status: 'received' }

test.each<[string, ActType, ActTarget, Partial<typeof rules>, ActRefusal | null]>([
  ['own text', 'edit', ours, {}, null],
  ['on its way', 'edit', { ...ours, status: 'queued', at: NOW - 90 * MINUTE }, {}, null],
  ['caption', 'edit', { ...ours, type: 'image' }, {}, null],
  ['picture without one', 'edit', { ...ours, type: 'image', hasText: false }, {}, 'ERR_EDIT_NOTHING'],
  ['place', 'edit', { ...ours, type: 'location' }, {}, 'ERR_EDIT_NOTHING'],
  ['the contact’s', 'edit', theirs, {}, 'ERR_EDIT_NOTHING'],
  ['at the last moment', 'edit', { ...ours, at: NOW - 15 * MINUTE }, {}, null],
  ['too late', 'edit', { ...ours, at: NOW - 15 * MINUTE - 1 }, {}, 'ERR_EDIT_TOO_LATE'],
  ['not gone', 'edit', { ...ours, status: 'uncertain' }, {}, 'ERR_SEND_STATE'],
  ['taken back', 'edit', { ...ours, isDeleted: true }, {}, 'ERR_SEND_STATE'],
  ['on a channel without', 'edit', ours, { editMinutes: null as never }, 'ERR_CHANNEL_CANNOT'],
  ['what waits for its time', 'edit', { ...ours, status: 'pending', isWaiting: true }, {}, 'ERR_SEND_STATE'],
  ['note', 'edit', { ...ours, isNote: true }, {}, 'ERR_FETCH_WAPP_MSG'],
  ['own', 'revoke', ours, {}, null],
  ['own voice note', 'revoke', { ...ours, type: 'audio', hasText: false }, {}, null],
  ['the contact’s', 'revoke', theirs, {}, 'ERR_DELETE_WAPP_MSG'],
  ['too late', 'revoke', { ...ours, at: NOW - 48 * 60 * MINUTE - 1 }, {}, 'ERR_DELETE_WAPP_MSG'],
  ['on a channel without', 'revoke', ours, { revokeHours: null as never }, 'ERR_CHANNEL_CANNOT'],
  ['own', 'react', ours, {}, null],
  ['the contact’s, of long ago', 'react', { ...theirs, at: 0 }, {}, null],
  ['on its way', 'react', { ...ours, status: 'pending' }, {}, 'ERR_SEND_STATE'],
  ['taken back', 'react', { ...theirs, isDeleted: true }, {}, 'ERR_SEND_STATE'],
  ['on a channel without', 'react', ours, { react: false }, 'ERR_CHANNEL_CANNOT'],
  ['a line of the log', 'react', { ...ours, type: 'transfer' }, {}, 'ERR_FETCH_WAPP_MSG'],
])('%s: %s', (_name, type, target, changed, refusal) => {
  expect(whyNotAct(type, target, { ...rules, ...changed }, NOW)).toBe(refusal)
})

describe('what was done to a message elsewhere', () => {
  const act = fc.record({
    type: fc.constantFrom('edit', 'revoke', 'react' as const),
    fromMe: fc.boolean(),
    at: fc.integer({ min: 1, max: 4 }),
    key: fc.string({ minLength: 1, maxLength: 3 }),
    body: fc.string(),
    mentions: fc.option(fc.array(fc.constantFrom('ana', 'bia'))),
    emoji: fc.option(fc.constantFrom('👍', '❤️')),
  }) as fc.Arbitrary<Parameters<typeof stateAfter>[0][number]>
  const acts = fc.uniqueArray(act, { selector: ({ key }) => key, maxLength: 8 })

  test('is the same in whatever order and however often it came', () => {
    const told = acts.chain((once) =>
      fc.tuple(fc.constant(once), fc.shuffledSubarray([...once, ...once], { minLength: once.length * 2 })),
    )
    fc.assert(
      fc.property(told, fc.boolean(), ([once, twice], isTheirs) => {
        expect(stateAfter(twice, isTheirs)).toEqual(stateAfter(once, isTheirs))
      }),
    )
  })

  test('a contact neither edits nor takes back one of ours, and the company edits none of theirs', () => {
    fc.assert(
      fc.property(acts, (all) => {
        const by = (fromMe: boolean) => all.filter((one) => one.fromMe === fromMe)
        expect(stateAfter(by(false), false)).toMatchObject({ isDeleted: false, body: null, ownReaction: undefined })
        expect(stateAfter(by(true), true)).toMatchObject({ body: null, reaction: null })
      }),
    )
  })
})

test.each([
  ['👍', true],
  ['❤️', true],
  ['❤', true],
  ['👨‍👩‍👧', true],
  ['🇧🇷', true],
  ['👍👍', false],
  ['ok', false],
  ['1', false],
  ['', false],
  [' 👍', false],
])('%s is one emoji: %s', (text, is) => expect(isOneEmoji(text)).toBe(is))
