import { expect, test } from 'vitest'
import { snoozeTimes } from './snooze-times.ts'

test.each([
  ['a Wednesday', new Date(2026, 10, 18, 15, 30), ['18/11 16', '18/11 18', '19/11 8', '23/11 8']],
  ['a Sunday: tomorrow is Monday', new Date(2026, 10, 22, 9, 0), ['22/11 10', '22/11 12', '23/11 8']],
  ['a Monday: the next one', new Date(2026, 10, 23, 23, 0), ['24/11 0', '24/11 2', '24/11 8', '30/11 8']],
])('what is offered on %s', (_name, now, expected) => {
  expect(snoozeTimes(now).map(({ at }) => `${at.getDate()}/${at.getMonth() + 1} ${at.getHours()}`)).toEqual(expected)
})
