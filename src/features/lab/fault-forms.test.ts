import { expect, test } from 'vitest'
import type { LabFaults } from './contract.ts'
import { isFaultOf } from './fault-forms.ts'

const all: readonly (keyof LabFaults)[] = [
  ...(['duplicate', 'reorder', 'delaySeconds', 'lateReceiptSeconds', 'disconnected', 'otherSpelling'] as const),
  ...(['hidden', 'undecrypted', 'corruptFile', 'expiredFile', 'refuses'] as const),
  ...(['windowClosed', 'refusalCode', 'reorderedReceipts', 'lowQuality', 'bounces'] as const),
]
const plain = all.slice(0, 6)

test.each([
  ['that writes to a linked number', { type: 'baileys', isLinked: true, isGroup: false }, all.slice(6, 11)],
  ['that is a group of a linked number', { type: 'baileys', isLinked: true, isGroup: true }, all.slice(7, 10)],
  [
    'that is a mailbox',
    { type: 'webmail', isLinked: false, isGroup: false },
    ['duplicate', 'reorder', 'delaySeconds', 'disconnected', 'bounces'] as const,
  ],
  ['of another channel', { type: 'lab', isLinked: false, isGroup: false }, plain],
])('a phone %s has the faults of that channel, and no others', (_, of, expected) => {
  expect(all.filter((fault) => isFaultOf(of, fault))).toEqual(expected)
})
