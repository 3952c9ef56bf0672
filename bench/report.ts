import type { FrontEnd } from './front-end.ts'
import type { Limits } from './limits.ts'
import type { Measure } from './loop.ts'

/** Everything measured at one size. */
export type SizeResult = {
  size: number
  limits: Limits
  delay: { received: number; p50: number; p95: number; p99: number }
} & Record<
  | 'list1'
  | 'list16'
  | 'showAll1'
  | 'deep1'
  | 'chat1'
  | 'chat16'
  | 'search1'
  | 'search16'
  | 'bodies1'
  | 'bodies16'
  | 'ingest1'
  | 'ingest16',
  Measure
>

type All = {
  version: string
  date: string
  machine: string
  results: readonly SizeResult[]
  fanOut: { ours: { safe: number; ceiling: number }; raw: { safe: number; ceiling: number } }
  frontEnd: FrontEnd
}

const ms = (value: number) => value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 2 : 0 })
const rate = (value: number) => Math.round(value).toLocaleString('en')
const percent = (part: number, whole: number) => `${Math.round((part / whole) * 100)} %`
const delays = ({ p50, p95, p99 }: { p50: number; p95: number; p99: number }) => `${ms(p50)} / ${ms(p95)} / ${ms(p99)}`

/** docs/benchmarks.md: ratios first, because absolute figures of different days do not compare. */
export function report({ version, date, machine, results, fanOut, frontEnd }: All): string {
  const sections = results.map((r) => {
    const l = r.limits
    const rows: [string, Measure, Measure | null, string][] = [
      ['ticket list, agent, 1 client', r.list1, l.list1, '≥ 14 %'],
      ['ticket list, agent, 16 clients', r.list16, l.list16, '≥ 24 %'],
      ['ticket list, admin show-all, 1 client', r.showAll1, l.list1, 'within 1.3× of the agent’s'],
      ['the same, deep by cursor', r.deep1, l.list1, '≤ 1.3× page 1'],
      ['open a chat, 1 client', r.chat1, l.chat1, '≥ 15 %'],
      ['open a chat, 16 clients', r.chat16, l.chat16, '≥ 22 %'],
      ['search contact/number, 1 client', r.search1, l.search1, 'p95 ≤ 8 ms'],
      ['search contact/number, 16 clients', r.search16, l.search16, '≥ 40 %'],
      ['search message bodies, 1 client', r.bodies1, null, 'p95 ≤ 50 ms'],
      ['search message bodies, 16 clients', r.bodies16, null, '≥ 60/s'],
      ['ingest until processed, 1 in flight', r.ingest1, l.write1, '≥ 33 %'],
      ['ingest, 16 in flight', r.ingest16, l.write16, '≥ 28 %'],
    ]
    return [
      `## ${r.size.toLocaleString('en')} messages`,
      '',
      '| workload | ours/s | p50 / p95 / p99 ms | raw limit/s | ratio | goal |',
      '| --- | --- | --- | --- | --- | --- |',
      ...rows.map(
        ([name, ours, limit, goal]) =>
          `| ${name} | ${rate(ours.perSecond)} | ${delays(ours)} | ${limit ? rate(limit.perSecond) : '–'} | ${limit ? percent(ours.perSecond, limit.perSecond) : '–'} | ${goal} |`,
      ),
      `| delay inbound → socket at 250 msg/s | ${rate(r.delay.received)} events | ${delays(r.delay)} | – | – | p50 ≤ 4, p99 ≤ 12 ms |`,
      '',
    ].join('\n')
  })
  const [small, large] = [results[0]!, results.at(-1)!]
  const growth = (['list1', 'chat1', 'search1', 'ingest1'] as const).map(
    (key) =>
      `| ${key} | ${ms(small[key].p50)} | ${ms(large[key].p50)} | ${(large[key].p50 / small[key].p50).toFixed(2)}× |`,
  )
  return [
    '# Benchmarks',
    '',
    `Measured by \`npm run bench\` on ${date}, version ${version}: ${machine}. Load generator, product and PostgreSQL (embedded, durable commits) share the cores.`,
    'Only ratios of one run compare; each figure is the median of three rounds. The raw limit is the `pg` driver with prepared statements as owner, without HTTP, rights, row policies or events.',
    '',
    ...sections,
    '## Growth of p50, smallest to largest',
    '',
    '| workload | smallest ms | largest ms | factor (goal ≤ 1.3×) |',
    '| --- | --- | --- | --- |',
    ...growth,
    '',
    '## Fan-out to 500 sockets, 1.5 kB events',
    '',
    '| | highest rate with p99 ≤ 50 ms | deliveries/s at the ceiling |',
    '| --- | --- | --- |',
    `| bare Socket.IO | ${fanOut.raw.safe} ev/s | ${rate(fanOut.raw.ceiling)} |`,
    `| ours | ${fanOut.ours.safe} ev/s (${percent(fanOut.ours.safe, fanOut.raw.safe)}, goal ≥ 85 %) | ${rate(fanOut.ours.ceiling)} (${percent(fanOut.ours.ceiling, fanOut.raw.ceiling)}, goal ≥ 65 %) |`,
    '',
    '## Front end (Chromium, CPU slowed 4×, cold cache)',
    '',
    '| budget | measured | goal |',
    '| --- | --- | --- |',
    ...frontEnd.map(({ name, value, goal }) => `| ${name} | ${value} | ${goal} |`),
    '',
  ].join('\n')
}
