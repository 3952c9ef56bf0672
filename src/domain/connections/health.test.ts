import { expect, test } from 'vitest'
import { HEALTH_HOURS, healthOf } from './health.ts'

const HOUR = 3_600_000
const now = Date.parse('2026-03-04T12:00:00Z')
const ago = (hours: number) => now - hours * HOUR
const marks = { up: '|', down: 'x', unknown: '.' }
const drawn = (...given: Parameters<typeof healthOf>) =>
  healthOf(...given)
    .hours.map((hour) => marks[hour])
    .join('')

test.each([
  ['never connected', [], null, '.'.repeat(36)],
  ['there all the time', [], ago(100), '|'.repeat(36)],
  ['connected ten hours and a half ago', [], ago(10.5), `${'.'.repeat(25)}${'|'.repeat(11)}`],
  ['connected ten hours ago', [], ago(10), `${'.'.repeat(26)}${'|'.repeat(10)}`],
  [
    'a minute away',
    [{ cause: 'network', beganAt: ago(3.5), endedAt: ago(3.5) + 60_000 }],
    ago(100),
    `${'|'.repeat(32)}x|||`,
  ],
  ['away since', [{ cause: 'unlinked', beganAt: ago(2), endedAt: null }], ago(100), `${'|'.repeat(34)}xx`],
  ['away before it', [{ cause: 'network', beganAt: ago(40), endedAt: ago(36) }], ago(100), '|'.repeat(36)],
  [
    'switched off for five hours',
    [{ cause: 'person', beganAt: ago(20), endedAt: ago(15) }],
    ago(100),
    `${'|'.repeat(16)}.....${'|'.repeat(15)}`,
  ],
] as const)('hours: %s', (_, outages, since, expected) => {
  expect(drawn(outages, { since, now })).toBe(expected)
  expect(expected).toHaveLength(HEALTH_HOURS)
})

test('what is counted: outages that were nobody’s wish, for as long as it is known', () => {
  const outages = [
    { cause: 'network', beganAt: ago(40), endedAt: ago(35) },
    { cause: 'person', beganAt: ago(20), endedAt: ago(14) },
    { cause: 'banned', beganAt: ago(0.5), endedAt: null },
  ] as const
  expect(healthOf(outages, { since: ago(100), now })).toMatchObject({
    ...{ outages: 2, awayMs: 1.5 * HOUR, knownMs: 30 * HOUR },
  })
  expect(healthOf([], { since: null, now })).toMatchObject({ outages: 0, awayMs: 0, knownMs: 0 })
})
