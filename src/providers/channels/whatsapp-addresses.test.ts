import { expect, test } from 'vitest'
import { addressesOf, conversationOf, digitsOf, jidOf, numbered } from './whatsapp-addresses.ts'

const [number, lid, group] = ['5511988887777@s.whatsapp.net', '100012345678901@lid', '120363000000000001@g.us']

test.each([
  [number, '5511988887777', '5511988887777'],
  ['5511988887777:12@s.whatsapp.net', '5511988887777', '5511988887777'],
  // Its digits are not a phone number.
  [lid, lid, null],
  ['100012345678901:3@lid', lid, null],
  [group, group, null],
])('%s is the conversation %s, with the number %s', (jid, conversation, digits) => {
  expect([conversationOf(jid), digitsOf(jid)]).toEqual([conversation, digits])
  expect(conversationOf(jidOf(conversation))).toBe(conversation)
})

test('of two names of somebody the one with a number, and no number of another kind', () => {
  expect([numbered(lid, number), numbered(number, lid), numbered(lid, null), numbered(lid, '2@lid')]).toEqual([
    ...[number, number, lid, lid],
  ])
})

test('by what somebody is known is all but what they are called', () => {
  expect(addressesOf({ identity: lid, name: 'Ana', number: null })).toEqual({ identity: lid, number: null })
})
