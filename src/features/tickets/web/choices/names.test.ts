import { expect, test } from 'vitest'
import { ageOf } from './names.ts'

test.each([
  [-1, 'fresh'],
  [14, 'fresh'],
  [15, 'late'],
  [59, 'late'],
  [60, 'overdue'],
])('a wait of %i minutes is %s', (minutes, age) => expect(ageOf(minutes * 60_000)).toBe(age))
