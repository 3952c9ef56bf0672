import { expect, test } from 'vitest'
import { MESSAGE_STATUSES } from './status.ts'
import { milestonesOf, standstillOf } from './trail.ts'

const steps = (...names: string[]) => names.map((step, at) => ({ step, at }))

test('the first time of each milestone counts, in their own order', () => {
  const known = milestonesOf(steps('accepted', 'attempt', 'read', 'sent', 'sent', 'delivered'))
  expect(known.map(({ milestone, step }) => [milestone, step.at])).toEqual([
    ['sent', 3],
    ['delivered', 5],
    ['read', 2],
  ])
  expect(milestonesOf(steps('accepted'))).toEqual([])
})

test.each([
  ['failed', [], 'failed', ['resend', 'channel']],
  ['uncertain', [], 'uncertain', ['resend', 'leave']],
  ['canceled', [], 'canceled', ['resend']],
  ['pending', [], 'queued', ['cancel']],
  ['queued', ['attempt'], 'queued', []],
  ['pending', ['attempt', 'waiting'], 'repeating', ['cancel', 'channel']],
  ['queued', ['attempt', 'waiting', 'attempt'], 'queued', []],
  ['sent', ['attempt', 'sent'], 'sent', []],
] as const)('%s after %j is %s: %j', (status, before, why, remedies) =>
  expect(standstillOf(status, steps(...before))).toEqual({ why, remedies }),
)

test('whoever waits for a message learns what of: only what arrived, and what came in, asks for nothing', () => {
  const silent = MESSAGE_STATUSES.filter((status) => standstillOf(status, []) === null)
  expect(silent).toEqual(['delivered', 'read', 'played', 'received'])
})
