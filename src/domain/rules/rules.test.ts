import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decidedBy, judge, phrasesIn } from './judge.ts'
import { type PastLog, pastStateAfter } from './past.ts'
import { type Condition, namedByConditions, type RuleFacts, whyConditionGone } from './rules.ts'

const facts: RuleFacts = {
  ...{ status: 'pending', queueId: 4, userId: null, stageId: null, connectionId: 9 },
  ...{ tagIds: [1, 2], walletIds: [], isOpen: false, phrases: ['boleto'] },
}
const matching: readonly Condition[] = [
  { field: 'phrases', is: true, values: ['boleto', 'fatura'] },
  { field: 'phrases', is: false, values: ['fatura'] },
  { field: 'status', is: true, values: ['pending', 'open'] },
  { field: 'queueId', is: true, values: [null, 4] },
  { field: 'queueId', is: false, values: [5] },
  { field: 'userId', is: true, values: [null] },
  { field: 'stageId', is: false, values: [3] },
  { field: 'connectionId', is: true, values: [9] },
  { field: 'tagIds', is: true, values: [2, 3] },
  { field: 'tagIds', is: false, values: [3] },
  { field: 'walletIds', is: false, values: [7] },
  { field: 'isOpen', is: false },
]

test.each(matching)('$field is $is', (condition) => {
  expect(judge({ match: 'all', conditions: [condition] }, facts).matches).toBe(true)
  const opposite = { ...condition, is: !condition.is }
  expect(judge({ match: 'all', conditions: [opposite] }, facts)).toEqual({ matches: false, each: [false] })
})

test('all of the conditions have to hold, or any; without conditions it always matches', () => {
  const mixed = fc.array(fc.record({ at: fc.nat(matching.length - 1), turned: fc.boolean() }), { maxLength: 5 })
  fc.assert(
    fc.property(mixed, (chosen) => {
      const conditions = chosen.map(({ at, turned }) => ({ ...matching[at]!, is: matching[at]!.is !== turned }))
      const each = chosen.map(({ turned }) => !turned)
      expect(judge({ match: 'all', conditions }, facts)).toEqual({ matches: each.every(Boolean), each })
      expect(judge({ match: 'any', conditions }, facts)).toEqual({
        matches: each.length === 0 || each.some(Boolean),
        each,
      })
    }),
  )
})

test('what decided is told in part: what was asked for and found first, and no words that other conditions ask for', () => {
  const many = Array.from({ length: 9 }, (_, n) => n + 10)
  const tagIds = [...many, 2]
  const decided = decidedBy(
    [
      { field: 'queueId', is: true, values: [5, null] },
      { field: 'tagIds', is: true, values: [...many.map((n) => n + 100), 2] },
      { field: 'phrases', is: false, values: ['fatura'] },
      { field: 'isOpen', is: false },
    ],
    { ...facts, tagIds },
  )
  expect(decided).toEqual([
    { field: 'queueId', is: true, matches: false, asked: [5, null], more: 0, found: [4] },
    { field: 'tagIds', is: true, matches: true, asked: [2, 110, 111, 112, 113], more: 5, found: [2, 10, 11, 12, 13] },
    { field: 'phrases', is: false, matches: true, asked: ['fatura'], more: 0, found: [] },
    { field: 'isOpen', is: false, matches: true, asked: [], more: 0, found: [] },
  ])
})

test.each([
  ['Quero a 2ª via do BOLETO!', ['boleto'], ['boleto']],
  ['boletos atrasados', ['boleto'], []],
  ['Mande a  segunda\nvia, por favor', ['segunda via', 'via segunda'], ['segunda via']],
  ['Não consigo pagar', ['nao consigo'], ['nao consigo']],
  ['Adorei 😍', ['😍', '🎉'], ['😍']],
  ['', ['boleto'], []],
])('in “%s”, of %j there are %j', (text, values, found) => {
  expect(phrasesIn(text, [{ field: 'phrases', is: true, values }])).toEqual(found)
})

describe('what conditions name', () => {
  const named: readonly [Condition, string][] = [
    [{ field: 'tagIds', is: true, values: [1] }, 'ERR_NO_TAG_FOUND'],
    [{ field: 'queueId', is: false, values: [null, 2] }, 'ERR_NO_QUEUE_FOUND'],
    [{ field: 'userId', is: true, values: [3] }, 'ERR_NO_USER_FOUND'],
    [{ field: 'walletIds', is: true, values: [3] }, 'ERR_NO_USER_FOUND'],
    [{ field: 'stageId', is: true, values: [4] }, 'ERR_NO_KANBAN_FOUND'],
    [{ field: 'connectionId', is: true, values: [5] }, 'ERR_NO_WAPP_FOUND'],
  ]
  const all = namedByConditions(named.map(([condition]) => condition))
  const nothing = namedByConditions([])

  test.each(named)('%j', (condition, code) => {
    expect(whyConditionGone(condition, all)).toBe(null)
    expect(whyConditionGone(condition, nothing)).toBe(code)
  })
})

test('a ticket stood as the lines of its log before say', () => {
  const log = (type: PastLog['type'], userId: number | null, queueId: number | null, at: number): PastLog => ({
    ...{ type, userId, queueId, at },
  })
  const logs = [
    log('open', 1, 4, 10),
    log('snooze', 1, 4, 15),
    log('transfered', 1, 5, 20),
    log('receivedTransfer', 2, 5, 20),
    log('pending', 2, 5, 30),
    log('open', 3, 5, 40),
    log('closed', 3, 5, 50),
  ]
  const now = { status: 'closed', userId: 3, queueId: 5 } as const
  expect(Array.from({ length: 8 }, (_, n) => Object.values(pastStateAfter(logs, n, now)))).toEqual([
    ['pending', null, 4],
    ['open', 1, 4],
    ['open', 1, 4],
    ['pending', null, 5],
    ['open', 2, 5],
    ['pending', null, 5],
    ['open', 3, 5],
    ['closed', 3, 5],
  ])
  expect(pastStateAfter([], 0, now)).toEqual(now)
  const ways = [
    log('distributed', 2, 5, 10),
    log('ownerAway', 2, 5, 20),
    { ...log('force', 1, 5, 30), to: { status: 'open', userId: 3 } } as const,
    // From before such lines said it.
    log('force', 1, 6, 40),
  ]
  expect(ways.map((_, n) => Object.values(pastStateAfter(ways, n + 1, now)))).toEqual([
    ['open', 2, 5],
    ['pending', null, 5],
    ['open', 3, 5],
    ['open', 3, 6],
  ])
})
