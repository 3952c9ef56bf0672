import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ALERTS, alertsOf, type Watched } from './alerts.ts'
import { type Card, changesBetween, exitOf, percentOf, replay, timeInStages } from './card.ts'
import { centsOf, decimalOf, sumOf } from './money.ts'
import { type ORDERS, sortKey } from './orders.ts'
import { periodDays } from './periods.ts'
import { TEMPLATES } from './templates.ts'

const value = fc.bigInt({ min: 0n, max: 10n ** 15n - 1n }).map(decimalOf)
const card: fc.Arbitrary<Card> = fc.record({
  stageId: fc.integer({ min: 1, max: 9 }),
  status: fc.constantFrom('open', 'win', 'lose'),
  value,
  responsibleId: fc.option(fc.integer({ min: 1, max: 9 })),
  closingForecast: fc.option(fc.constantFrom('2027-01-31', '2027-02-01')),
})

it('a history leads to the card from which it was made, whatever came between', () => {
  fc.assert(
    fc.property(fc.array(card, { minLength: 1, maxLength: 8 }), (states) => {
      const history = states.flatMap((one, index) => changesBetween(states[index - 1] ?? null, one))
      expect(replay(history)).toEqual(states.at(-1))
    }),
  )
})

it.each<[string, Partial<Card>, Partial<Card>, boolean | null]>([
  ['to a later stage', {}, { stageId: 2 }, true],
  ['back', { stageId: 2 }, { stageId: 1 }, false],
  ['into another pipeline', {}, { stageId: 3 }, null],
  ['won', {}, { status: 'win' }, true],
  ['lost', {}, { status: 'lose' }, false],
  ['nowhere', {}, { value: '2.00' }, null],
  ['once it has ended', { status: 'win' }, { stageId: 2 }, null],
])('who goes %s has gone on, or has not', (_, before, after, advanced) => {
  const stages = new Map([
    [1, { id: 1, pipelineId: 1, position: 1 }],
    [2, { id: 2, pipelineId: 1, position: 2 }],
    [3, { id: 3, pipelineId: 2, position: 1 }],
  ])
  const plain: Card = { stageId: 1, status: 'open', value: '1.00', responsibleId: null, closingForecast: null }
  const from = { ...plain, ...before }
  expect(exitOf(from, { ...from, ...after }, stages)).toBe(advanced)
})

it('time in a stage adds up over its entries', () => {
  const line = (after: string, at: number) => ({ kind: 'stage', before: null, after, at }) as const
  expect([...timeInStages([line('1', 0), line('2', 10), line('1', 15)], 40)]).toEqual([
    [1, 35],
    [2, 5],
  ])
})

it('money is added exactly', () => {
  expect(sumOf(['0.10', '0.2', '999999999999.99'])).toBe('1000000000000.29')
  expect(sumOf([])).toBe('0.00')
  fc.assert(fc.property(value, (one) => decimalOf(centsOf(one)) === one))
  expect([percentOf(64, 100), percentOf(0, 0), percentOf(2, 3)]).toEqual([64, null, 67])
})

it('what stands in an order compares as text', () => {
  const rows = fc.array(fc.record({ id: fc.integer({ min: 1 }), value, closingForecast: fc.constant(null) }))
  fc.assert(
    fc.property(rows, (all) => {
      const byKey = (order: (typeof ORDERS)[number]) =>
        all.toSorted((a, b) => (sortKey(order, a) < sortKey(order, b) ? -1 : 1)).map((one) => one.value)
      const sorted = all.map((one) => one.value).toSorted((a, b) => (centsOf(a) < centsOf(b) ? -1 : 1))
      expect(byKey('valor_asc')).toEqual(sorted)
      expect(byKey('valor_desc')).toEqual(sorted.toReversed())
    }),
  )
})

const at = { today: '2027-03-10', now: Date.UTC(2027, 2, 10, 15) }
const daysAgo = (days: number) => at.now - days * 86_400_000
const calm: Watched = {
  ...{ status: 'open', value: '10000.00', responsibleId: 1, closingForecast: '2027-03-13' },
  ...{ movedAt: daysAgo(5), stageSince: daysAgo(15), staleDays: 15, hasTask: true },
}
it.each<[string, Partial<Watched>, readonly string[]]>([
  ['nothing', {}, []],
  ['a forecast in two days', { closingForecast: '2027-03-12' }, ['due']],
  ['a forecast that has passed', { closingForecast: '2027-03-01' }, ['due']],
  ['no move for more than five days', { movedAt: daysAgo(5) - 1 }, ['idle']],
  ['nobody', { responsibleId: null }, ['unassigned']],
  ['more than ten thousand', { value: '10000.01' }, ['high']],
  ['longer in its stage than that allows', { stageSince: daysAgo(15) - 1 }, ['stale']],
  ['no task', { hasTask: false }, ['taskless']],
  ['nothing once it was won', { status: 'win', responsibleId: null, hasTask: false }, []],
])('%s asks for attention', (_, change, alerts) => {
  expect(alertsOf({ ...calm, ...change }, at)).toEqual(alerts)
  expect(ALERTS).toHaveLength(6)
})

it.each([
  ['hoje', '2027-03-31', '2027-03-31'],
  ['7dias', '2027-03-25', '2027-03-31'],
  ['30dias', '2027-03-02', '2027-03-31'],
  ['90dias', '2027-01-01', '2027-03-31'],
  ['mes_atual', '2027-03-01', '2027-03-31'],
  ['mes_anterior', '2027-02-01', '2027-02-28'],
] as const)('the period %s', (period, from, to) => {
  expect(periodDays(period, '2027-03-31')).toEqual({ from, to })
})

it('there are templates for five trades, whose stages are ever more likely', () => {
  expect(new Set(TEMPLATES.map(({ trade }) => trade)).size).toBe(5)
  for (const { stages } of TEMPLATES)
    expect(stages.map(({ chance }) => chance)).toEqual(stages.map(({ chance }) => chance).toSorted((a, b) => a - b))
})
