import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dayAfter, daysBetween, periodBefore, runsOf } from './days.ts'
import {
  ALL_MEASURES,
  AMOUNTS,
  differencesOf,
  type Fact,
  FLAGS,
  figureOf,
  figuresOfDay,
  NOTHING,
  numberOf,
  plus,
  SPLITS,
} from './measures.ts'

const record = <K extends string, V>(keys: readonly K[], value: fc.Arbitrary<V>): fc.Arbitrary<Record<K, V>> =>
  fc.tuple(...keys.map(() => value)).map((values) => {
    const rows = keys.map((key, index) => [key, values[index]])
    return Object.fromEntries(rows) as Record<K, V>
  })
const fact: fc.Arbitrary<Fact> = fc.record({
  isGroup: fc.boolean(),
  keys: record(SPLITS, fc.constantFrom('', '1', '2', '3')).map((keys) => ({ ...keys, total: '' })),
  flags: record(FLAGS, fc.boolean()),
  amounts: record(AMOUNTS, fc.option(fc.integer({ min: 0, max: 1e9 }))),
})
const facts = fc.array(fact, { maxLength: 40 })

describe('figures', () => {
  it('of every split add up to the total, in whichever order tickets come', () => {
    fc.assert(
      fc.property(facts, (all) => {
        const figures = figuresOfDay(all)
        for (const measure of ALL_MEASURES)
          for (const split of SPLITS) {
            const parts = figures.filter((one) => one.measure === measure && one.split === split)
            expect(parts.reduce(plus, NOTHING)).toEqual(figureOf(measure, all.toReversed()))
          }
      }),
    )
  })

  it('differ exactly where one was changed, removed or added', () => {
    fc.assert(
      fc.property(facts, fc.nat(), (all, at) => {
        const figures = figuresOfDay(all)
        expect(differencesOf('2026-11-18', figures, figures.toReversed())).toEqual([])
        if (figures.length === 0) return
        const gone = figures[at % figures.length]!
        const { measure, split, key } = gone
        const found = differencesOf(
          '2026-11-18',
          figures.filter((one) => one !== gone),
          figures,
        )
        expect(found).toEqual([
          { measure, day: '2026-11-18', split, key, stored: null, recomputed: numberOf(measure, gone) },
        ])
      }),
    )
  })

  it.each([
    ['tickets', { count: 3, total: 0 }, 3],
    ['tma', { count: 2, total: 3000 }, 1500],
    ['tma', NOTHING, null],
    ['value', { count: 2, total: 12_345 }, 123.45],
    ['rating', { count: 2, total: 9 }, 4.5],
  ] as const)('of %s are read as %j → %s', (measure, figure, number) => {
    expect(numberOf(measure, figure)).toBe(number)
  })
})

describe('days', () => {
  it('are inclusive, and the period before is as long', () => {
    expect(daysBetween('2026-02-27', '2026-03-01')).toEqual(['2026-02-27', '2026-02-28', '2026-03-01'])
    expect(dayAfter('2026-01-01', -1)).toBe('2025-12-31')
    expect(periodBefore('2026-03-01', '2026-03-03')).toEqual({ from: '2026-02-26', to: '2026-02-28' })
    expect(runsOf(['2026-03-05', '2026-03-01', '2026-03-02', '2026-03-05'])).toEqual([
      { from: '2026-03-01', to: '2026-03-02' },
      { from: '2026-03-05', to: '2026-03-05' },
    ])
  })
})
