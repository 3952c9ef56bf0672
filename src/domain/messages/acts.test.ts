import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type ActRefusal,
  type ActTarget,
  type ActType,
  type Author,
  type Authorship,
  isOneEmoji,
  type ReceivedAct,
  stateAfter,
  whyNotAct,
} from './acts.ts'

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

const ana = { identity: '10@lid', number: '5511' }
const bia = { identity: '20@lid', number: null }

describe('what was done to a message elsewhere', () => {
  const act = fc.record({
    type: fc.constantFrom('edit', 'revoke', 'react' as const),
    fromMe: fc.boolean(),
    author: fc.option(fc.constantFrom(ana, bia)),
    at: fc.integer({ min: 1, max: 4 }),
    key: fc.string({ minLength: 1, maxLength: 3 }),
    body: fc.string(),
    mentions: fc.option(fc.array(fc.constantFrom('ana', 'bia'))),
    emoji: fc.option(fc.constantFrom('👍', '❤️')),
  })
  const acts = fc.uniqueArray(act, { selector: ({ key }) => key, maxLength: 8 })
  const authorship = fc.record({
    isTheirs: fc.boolean(),
    group: fc.option(fc.record({ author: fc.option(fc.constantFrom(ana, bia)), admins: fc.subarray([ana, bia]) })),
  })

  test('is the same in whatever order and however often it came', () => {
    const told = acts.chain((once) =>
      fc.tuple(fc.constant(once), fc.shuffledSubarray([...once, ...once], { minLength: once.length * 2 })),
    )
    fc.assert(
      fc.property(told, authorship, ([once, twice], authorship) => {
        expect(stateAfter(twice, authorship)).toEqual(stateAfter(once, authorship))
      }),
    )
  })

  test('a contact neither edits nor takes back one of ours, and the company edits none of theirs', () => {
    fc.assert(
      fc.property(acts, (all) => {
        const by = (fromMe: boolean) => all.filter((one) => one.fromMe === fromMe)
        const group = null
        const ours = stateAfter(by(false), { isTheirs: false, group })
        expect(ours).toMatchObject({ isDeleted: false, body: null, ownReaction: undefined })
        expect(stateAfter(by(true), { isTheirs: true, group })).toMatchObject({ body: null, reaction: null })
      }),
    )
  })
})

describe('in a group everybody changes what they wrote themselves', () => {
  const by = (author: Author | null, type: ActType, more: Partial<ReceivedAct> = {}): ReceivedAct => ({
    ...{ type, author, fromMe: false, at: 1, key: 'a', mentions: null, emoji: null },
    ...{ body: type === 'edit' ? 'Novo' : null, ...more },
  })
  const phone = { fromMe: true }
  const anasAlso = { identity: '5511', number: '5511' }
  const unchanged = { isDeleted: false, body: null }
  test.each<[string, ReceivedAct, Partial<Authorship & { admins: readonly Author[] }>, object]>([
    ['the author edits', by(ana, 'edit'), {}, { body: 'Novo' }],
    ['by another of their addresses', by(anasAlso, 'edit'), {}, { body: 'Novo' }],
    ['somebody else edits', by(bia, 'edit'), {}, unchanged],
    ['nobody knows who edits', by(null, 'edit'), {}, unchanged],
    ['who runs it edits', by(bia, 'edit'), { admins: [bia] }, unchanged],
    ['the company edits on its phone', by(null, 'edit', phone), {}, unchanged],
    ['the author takes back', by(ana, 'revoke'), {}, { isDeleted: true }],
    ['somebody else takes back', by(bia, 'revoke'), { admins: [ana] }, unchanged],
    ['nobody knows who takes back', by(null, 'revoke'), { admins: [bia] }, unchanged],
    ['who runs it takes back', by(bia, 'revoke'), { admins: [bia] }, { isDeleted: true }],
    ['the company takes back on its phone', by(null, 'revoke', phone), {}, { isDeleted: true }],
    ['a member edits ours', by(bia, 'edit'), { isTheirs: false }, unchanged],
    ['a member takes back ours', by(bia, 'revoke'), { isTheirs: false }, unchanged],
    ['who runs it takes back ours', by(bia, 'revoke'), { isTheirs: false, admins: [bia] }, { isDeleted: true }],
    ['the company edits ours on its phone', by(null, 'edit', phone), { isTheirs: false }, { body: 'Novo' }],
  ])('%s', (_, act, { isTheirs = true, admins = [] }, state) => {
    const group = { author: isTheirs ? ana : null, admins }
    expect(stateAfter([act], { isTheirs, group })).toMatchObject(state)
  })

  test('whose author nobody knows is changed by nobody', () => {
    const group = { author: null, admins: [] }
    expect(stateAfter([by(null, 'edit'), by(ana, 'revoke')], { isTheirs: true, group })).toMatchObject(unchanged)
  })

  test('and withdraws their own reaction alone', () => {
    const acts = [
      by(ana, 'react', { at: 1, emoji: '👍' }),
      by(bia, 'react', { at: 2, emoji: '❤' }),
      by(bia, 'react', { at: 3, emoji: null }),
    ]
    const reaction = (all: ReceivedAct[], group: Authorship['group']) =>
      stateAfter(all, { isTheirs: true, group }).reaction
    const group = { author: ana, admins: [] }
    expect([1, 2, 3].map((n) => reaction(acts.slice(0, n), group))).toEqual(['👍', '❤', '👍'])
    expect(reaction([...acts, by(anasAlso, 'react', { at: 4, emoji: null })], group)).toBeNull()
    // Two addresses of one person count as one person.
    expect(reaction(acts, null)).toBeNull()
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
