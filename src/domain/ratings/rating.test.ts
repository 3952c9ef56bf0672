import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Reading } from './answer.ts'
import { questionOf, USUAL_RATINGS } from './question.ts'
import { applyAnswer, averageOf, type Rating } from './rating.ts'

const asked: Rating = { status: 'asked', evaluation: null, attempts: 0, askedAt: 1_000_000, expiresAt: 1_600_000 }
const five: Reading = { kind: 'rating', rating: 5 }
const attempt: Reading = { kind: 'attempt' }
const other: Reading = { kind: 'other' }
const at = 1_100_000

describe('what a message does to an evaluation', () => {
  test.each<[string, Partial<Rating>, Reading, number, object]>([
    [
      'a rating is taken and thanked for',
      {},
      five,
      at,
      { isTaken: true, reply: 'thanks', next: { status: 'answered', evaluation: 5 } },
    ],
    ['also in the last millisecond', {}, five, 1_599_999, { isTaken: true }],
    [
      'and not after it',
      {},
      five,
      1_600_000,
      { isTaken: false, reply: null, next: { status: 'expired', evaluation: null } },
    ],
    ['a clock may be half a minute behind', {}, five, 970_000, { isTaken: true }],
    [
      'what was written before the question is no answer, and leaves it open',
      {},
      five,
      969_999,
      { isTaken: false, reply: null, next: { status: 'asked', evaluation: null } },
    ],
    ['nor does it end it', {}, other, 969_999, { isTaken: false, reply: null, next: { status: 'asked' } }],
    [
      'another rating corrects the first',
      { status: 'answered', evaluation: 0 },
      five,
      at,
      { isTaken: true, reply: 'thanks', next: { evaluation: 5 } },
    ],
    [
      'the same again is not thanked for again',
      { status: 'answered', evaluation: 5 },
      five,
      at,
      { isTaken: true, reply: null },
    ],
    [
      'thanks of the customer are a matter of their own',
      { status: 'answered', evaluation: 5 },
      attempt,
      at,
      { isTaken: false, next: { status: 'answered', evaluation: 5 } },
    ],
    [
      'a first attempt is told',
      {},
      attempt,
      at,
      { isTaken: true, reply: 'error', next: { status: 'asked', attempts: 1 } },
    ],
    [
      'a third one ends it',
      { attempts: 2 },
      attempt,
      at,
      { isTaken: true, reply: 'over', next: { status: 'invalid', attempts: 3 } },
    ],
    [
      'a rating counts after two attempts',
      { attempts: 2 },
      five,
      at,
      { isTaken: true, reply: 'thanks', next: { status: 'answered' } },
    ],
    [
      'something else ends it without an answer',
      {},
      other,
      at,
      { isTaken: false, reply: null, next: { status: 'left' } },
    ],
    [
      'what is over stays over',
      { status: 'invalid', attempts: 3 },
      five,
      at,
      { isTaken: false, next: { status: 'invalid' } },
    ],
    ['what has expired stays so', { status: 'expired' }, five, at, { isTaken: false, next: { status: 'expired' } }],
  ])('%s', (_, standing, reading, moment, expected) => {
    expect(applyAnswer({ ...asked, ...standing }, reading, moment)).toMatchObject(expected)
  })

  test('whatever comes in whatever order: a rating stands exactly where it was answered, and attempts end', () => {
    const readings = fc.array(
      fc.record({
        reading: fc.oneof(
          fc.constant(attempt),
          fc.constant(other),
          fc.integer({ min: 0, max: 5 }).map((rating): Reading => ({ kind: 'rating', rating })),
        ),
        at: fc.integer({ min: 900_000, max: 1_700_000 }),
      }),
    )
    fc.assert(
      fc.property(readings, (said) => {
        let standing = asked
        for (const { reading, at: moment } of said) {
          const { next, isTaken, reply } = applyAnswer(standing, reading, moment)
          if (!isTaken) expect([reply, next.evaluation]).toEqual([null, standing.evaluation])
          if (reading.kind === 'other') expect(isTaken).toBe(false)
          standing = next
          expect(standing.status === 'answered').toBe(standing.evaluation !== null)
          expect(standing.attempts).toBeLessThanOrEqual(3)
        }
      }),
    )
  })
})

test('the question has a heading and a line for each rating', () => {
  expect(questionOf(USUAL_RATINGS)).toBe(
    'Avalie este atendimento:\n0 - Ruim\n1 - Regular\n2 - Bom\n3 - Muito Bom\n4 - Excelente\n5 - Incrível',
  )
})

test.each([
  [[0, 0, 0, 0, 0, 0], null],
  [[1, 0, 0, 0, 0, 1], 2.5],
  [[0, 0, 0, 0, 3, 1], 4.25],
])('the mean of %j is %j', (amounts, mean) => {
  expect(averageOf(amounts)).toBe(mean)
})
