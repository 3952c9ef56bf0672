import { expect, test } from 'vitest'
import { isComparable } from './compare.ts'
import { comparison, type Round } from './comparison.ts'
import { closedLoop, medianOf, percentiles } from './loop.ts'
import { type Measured, report } from './report.ts'
import { workloads } from './workloads.ts'

const measured = (perSecond: number, p50: number): Record<string, Measured> => ({
  list1: { perSecond, p50, p95: 2 * p50, p99: 3 * p50, limit: { perSecond: 1000, p50: 1, p95: 1, p99: 1 } },
})

test('the round in the middle counts, of three', async () => {
  const rounds = [{ perSecond: 90 }, { perSecond: 10 }, { perSecond: 50 }, { perSecond: 1 }]
  expect(await medianOf(async () => rounds.shift()!, 'perSecond')).toEqual({ perSecond: 50 })
  expect(rounds).toHaveLength(1)
})

test('a closed loop keeps as many at work as there are clients, and counts them', async () => {
  let [now, most] = [0, 0]
  const work = async () => {
    most = Math.max(most, ++now)
    await new Promise((resolve) => setTimeout(resolve, 5))
    now--
  }
  const { perSecond, p50 } = await closedLoop(4, work, { warmUpMs: 10, roundMs: 60 })
  expect(most).toBe(4)
  expect(p50).toBeGreaterThanOrEqual(4)
  expect(perSecond).toBeLessThanOrEqual(4 / 0.004)
  expect(percentiles([3, 1, 2])).toEqual({ p50: 2, p95: 3, p99: 3 })
})

test('the report is one table: figure, share of the limit, growth, goal, date and command; and what each includes', () => {
  const text = report(
    { version: '1', date: '2026-01-01', machine: 'two' },
    {
      sizes: [
        { size: 10_000, measured: measured(500, 1) },
        { size: 1_000_000, measured: measured(250, 1.5) },
      ],
      start: { cpu: 612.4, memory: 143.2 },
      builder: [{ key: 'open', name: 'steps on the canvas', value: 843.6, unit: 'ms', goal: '≤ 1,000' }],
    },
  )
  const list = '250/s, p50 / p95 / p99 1.5 / 3 / 4.5 ms, 25 % of raw 1,000/s | ≥ 14 %'
  expect(text).toContain(`| ticket list, agent, 1 client; 1,000,000 messages | ${list} | 2026-01-01 |`)
  expect(text).toContain('| ticket list, agent, 1 client; growth of p50 | 1.50× (1 → 1.5 ms) | ≤ 1.3× |')
  expect(text).toContain(
    '| CPU of the server until it answers | 612 ms | ≤ 800 ms | 2026-01-01 | `npm run bench -- --only=start` |',
  )
  expect(text).toContain('CPU slowed 4×, cold: steps on the canvas | 844 ms | ≤ 1,000 |')
  expect(text).toContain(workloads[0]!.includes)
  expect(new Set(workloads.map(({ key }) => key)).size).toBe(workloads.length)
})

test('two states compare by medians; of times less than a quarter is undecided, of counts nothing is', () => {
  const round = (perSecond: number, cpu: number, statements: number): Round => ({
    'per second': { value: perSecond, kind: 'time' },
    'CPU, ms': { value: cpu, kind: 'cpu' },
    statements: { value: statements, kind: 'count' },
  })
  const before = [round(90, 2, 4), round(100, 2, 4), round(110, 2, 4)]
  const after = [round(120, 1, 4), round(120, 1.5, 5), round(120, 1, 5)]
  const text = comparison('v1', [{ name: 'list1', before, after }])
  expect(text).toContain('| list1 | per second | 100 | 120 | ×1.20 (1.09–1.33), undecided |')
  expect(text).toContain('| list1 | CPU, ms | 2.00 | 1.00 | ×0.50 (0.50–0.75) |')
  expect(text).toContain('| list1 | statements | 4.00 | 5.00 | ×1.25 |')
})

test('whatever is asked over HTTP alone, and what comes in, can be compared by rounds in turn', () => {
  expect(workloads.filter(({ key }) => isComparable(key)).map(({ key }) => key)).toEqual(
    expect.arrayContaining(['list1', 'list16', 'chat1', 'chat16', 'search1', 'ingest1', 'ingest16', 'delay']),
  )
  expect(isComparable('frontEnd')).toBe(false)
})
