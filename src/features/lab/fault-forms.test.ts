import { expect, test } from 'vitest'
import type { LabFaults } from './contract.ts'
import { isFaultOf } from './fault-forms.ts'

const all: readonly (keyof LabFaults)[] = [
  ...(['duplicate', 'reorder', 'delaySeconds', 'lateReceiptSeconds', 'disconnected', 'otherSpelling'] as const),
  ...(['hidden', 'undecrypted', 'corruptFile', 'expiredFile', 'refuses'] as const),
  ...(['windowClosed', 'reorderedReceipts', 'lowQuality', 'vacation', 'provider', 'restricted', 'limited'] as const),
]
const plain = all.slice(0, 6)

test.each([
  ['that writes to a linked number', { type: 'baileys', isLinked: true, isGroup: false }, all.slice(6, 11)],
  ['that is a group of a linked number', { type: 'baileys', isLinked: true, isGroup: true }, all.slice(7, 10)],
  [
    'that is a mailbox',
    { type: 'webmail', isLinked: false, isGroup: false },
    ['duplicate', 'reorder', 'delaySeconds', 'disconnected', 'vacation', 'provider'] as const,
  ],
  [
    'of another channel',
    { type: 'lab', isLinked: false, isGroup: false },
    [...plain, 'provider' as const, 'restricted', 'limited'],
  ],
  [
    'of a gateway',
    { type: 'evo', isLinked: false, isGroup: false },
    [...plain, 'expiredFile' as const, 'provider' as const, 'restricted', 'limited'],
  ],
  [
    'that is known by an id alone, by a channel without receipts',
    { type: 'telegram', isLinked: false, isGroup: false },
    ['duplicate', 'reorder', 'delaySeconds', 'disconnected', 'provider'] as const,
  ],
  [
    'of the official channel',
    { type: 'waba', isLinked: false, isGroup: false },
    [
      ...plain,
      'hidden',
      'expiredFile',
      'windowClosed',
      'reorderedReceipts',
      'lowQuality',
      'provider',
      'restricted',
      'limited',
    ] as const,
  ],
  [
    'of an account that another carries',
    { type: 'hub', isLinked: false, isGroup: false },
    [...plain, 'expiredFile', 'windowClosed', 'reorderedReceipts', 'provider', 'restricted', 'limited'] as const,
  ],
])('a phone %s has the faults of that channel, and no others', (_, of, expected) => {
  expect(all.filter((fault) => isFaultOf(of, fault))).toEqual(expected)
})
