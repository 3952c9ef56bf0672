import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { allOf, anyOf, type Criteria, evaluate, not } from './criteria.ts'

type Row = { status: string; owner: number | null; urgent: boolean; tags: readonly number[] }

const row: Row = { status: 'open', owner: null, urgent: false, tags: [1, 2] }

describe('evaluate', () => {
  test.each<[string, Criteria<Row>, boolean]>([
    ['true', true, true],
    ['false', false, false],
    ['scalar among values', { field: 'status', in: ['pending', 'open'] }, true],
    ['scalar not among values', { field: 'status', in: ['closed'] }, false],
    ['null is a value', { field: 'owner', in: [null] }, true],
    ['null is not a number', { field: 'owner', in: [7] }, false],
    ['negated null comparison is true, not unknown', { not: { field: 'owner', in: [7] } }, true],
    ['boolean field', { field: 'urgent', in: [false] }, true],
    ['no values never match', { field: 'status', in: [] }, false],
    ['sets that share a member', { field: 'tags', overlaps: [2, 9] }, true],
    ['sets that share none', { field: 'tags', overlaps: [9] }, false],
    ['set with members is not empty', { field: 'tags', empty: true }, false],
    [
      'all',
      {
        all: [
          { field: 'status', in: ['open'] },
          { field: 'urgent', in: [true] },
        ],
      },
      false,
    ],
    [
      'any',
      {
        any: [
          { field: 'status', in: ['closed'] },
          { field: 'urgent', in: [false] },
        ],
      },
      true,
    ],
    ['empty all', { all: [] }, true],
    ['empty any', { any: [] }, false],
  ])('%s', (_name, criteria, expected) => {
    expect(evaluate(criteria, row)).toBe(expected)
  })

  test('an empty set is empty and overlaps nothing', () => {
    const bare = { ...row, tags: [] }
    expect(evaluate<Row>({ field: 'tags', empty: true }, bare)).toBe(true)
    expect(evaluate<Row>({ field: 'tags', overlaps: [1, 2] }, bare)).toBe(false)
  })
})

describe('smart constructors fold what is already decided', () => {
  const open: Criteria<Row> = { field: 'status', in: ['open'] }
  const mine: Criteria<Row> = { field: 'owner', in: [7] }
  const nothing: Criteria<Row> = { field: 'owner', in: [] }

  test.each<[string, Criteria<Row>, Criteria<Row>]>([
    ['all of nothing', allOf<Row>(), true],
    ['any of nothing', anyOf<Row>(), false],
    ['true disappears from all', allOf<Row>(true, open), open],
    ['false decides all', allOf<Row>(open, false), false],
    ['an empty list of values decides all', allOf<Row>(open, nothing), false],
    ['true decides any', anyOf<Row>(open, true), true],
    ['an empty list of values disappears from any', anyOf<Row>(open, nothing), open],
    ['nested all is flattened', allOf<Row>(allOf<Row>(open, mine), open), { all: [open, mine, open] }],
    ['nested any is flattened', anyOf<Row>(anyOf<Row>(open, mine), open), { any: [open, mine, open] }],
    ['double negation', not<Row>(not<Row>(open)), open],
    ['negated constant', not<Row>(true), false],
    ['negated empty list of values', not<Row>(nothing), true],
  ])('%s', (_name, folded, expected) => {
    expect(folded).toEqual(expected)
  })
})

const leaf = fc.oneof<fc.Arbitrary<Criteria<Row>>[]>(
  fc.boolean(),
  fc.record({ field: fc.constant('status' as const), in: fc.subarray(['open', 'pending', 'closed']) }),
  fc.record({ field: fc.constant('owner' as const), in: fc.subarray([null, 1, 2]) }),
  fc.record({ field: fc.constant('urgent' as const), in: fc.subarray([true, false]) }),
  fc.record({ field: fc.constant('tags' as const), overlaps: fc.subarray([1, 2, 3]) }),
  fc.record({ field: fc.constant('tags' as const), empty: fc.constant(true as const) }),
)
const { tree } = fc.letrec<{ tree: Criteria<Row> }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    leaf,
    fc.record({ all: fc.array(tie('tree'), { maxLength: 3 }) }),
    fc.record({ any: fc.array(tie('tree'), { maxLength: 3 }) }),
    fc.record({ not: tie('tree') }),
  ),
}))
const facts: fc.Arbitrary<Row> = fc.record({
  status: fc.constantFrom('open', 'pending', 'closed'),
  owner: fc.constantFrom(null, 1, 2),
  urgent: fc.boolean(),
  tags: fc.subarray([1, 2, 3]),
})

function rebuild(criteria: Criteria<Row>): Criteria<Row> {
  if (typeof criteria === 'boolean') return criteria
  if ('all' in criteria) return allOf(...criteria.all.map(rebuild))
  if ('any' in criteria) return anyOf(...criteria.any.map(rebuild))
  return 'not' in criteria ? not(rebuild(criteria.not)) : criteria
}

function mentionsConstant(criteria: Criteria<Row>): boolean {
  if (typeof criteria === 'boolean') return true
  if ('all' in criteria) return criteria.all.some(mentionsConstant)
  if ('any' in criteria) return criteria.any.some(mentionsConstant)
  return 'not' in criteria ? mentionsConstant(criteria.not) : false
}

test('folding never changes the meaning and leaves no constant inside', () => {
  fc.assert(
    fc.property(tree, facts, (criteria, values) => {
      const folded = rebuild(criteria)
      expect(evaluate(folded, values)).toBe(evaluate(criteria, values))
      expect(typeof folded === 'boolean' || !mentionsConstant(folded)).toBe(true)
    }),
    { numRuns: 2000 },
  )
})
