import type { FrontEnd } from './front-end.ts'
import type { Linked } from './linked.ts'
import type { Measure } from './loop.ts'
import type { FanOut } from './realtime.ts'
import type { Start } from './start.ts'
import { workloads } from './workloads.ts'

/** A workload's figures with those of its raw limit, measured just before. */
export type Measured = Measure & { limit?: Measure }

/** Everything that a run measured; `sizes` in messages, smallest first, each by the keys of the workloads. */
export type Results = {
  sizes: { size: number; measured: Record<string, Measured> }[]
  start?: Start
  fanOut?: { raw: FanOut; ours: FanOut }
  frontEnd?: FrontEnd
  builder?: FrontEnd
  board?: FrontEnd
  hostile?: FrontEnd
  files?: FrontEnd
  linked?: Linked
  mail?: Linked
  webchat?: FrontEnd
}

const ms = (value: number) => value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 2 : 0 })
const rate = (value: number) => Math.round(value).toLocaleString('en')
const percent = (part: number, whole: number) => `${Math.round((part / whole) * 100)} %`
const delays = ({ p50, p95, p99 }: Measure) => `${ms(p50)} / ${ms(p95)} / ${ms(p99)}`

/** docs/benchmarks.md: ratios first, because absolute figures of different days do not compare. */
export function report(about: { version: string; date: string; machine: string }, results: Results): string {
  const { sizes, start, fanOut, frontEnd, builder, board, hostile, files, linked, mail, webchat } = results
  const [small, large] = [sizes[0]!, sizes.at(-1)!]
  return [
    '# Benchmarks',
    '',
    `Measured by \`npm run bench\` on ${about.date}, version ${about.version}: ${about.machine}. Load generator, product and PostgreSQL (embedded, durable commits) share the cores; rate limits count and the log is written as usual.`,
    'Only ratios of one run compare; each figure is the middle one of three. The raw limit is the `pg` driver with prepared statements as owner, without HTTP, rights, row policies or events, measured just before on analysed tables after a checkpoint.',
    '',
    ...sizes.flatMap(({ size, measured }) => [
      `## ${size.toLocaleString('en')} messages`,
      '',
      '| workload | ours/s | p50 / p95 / p99 ms | raw limit/s | ratio | goal |',
      '| --- | --- | --- | --- | --- | --- |',
      ...workloads.flatMap(({ key, name, goal }) => {
        const ours = measured[key]
        if (!ours) return []
        const limit = ours.limit
          ? [rate(ours.limit.perSecond), percent(ours.perSecond, ours.limit.perSecond)]
          : ['–', '–']
        return row(name, rate(ours.perSecond), delays(ours), ...limit, goal)
      }),
      '',
    ]),
    'What each includes:',
    '',
    ...[...new Set(workloads.filter(({ key }) => small.measured[key]).map(({ includes }) => includes))].map(
      (includes) =>
        `- ${workloads
          .filter((one) => one.includes === includes)
          .map(({ name }) => name)
          .join('; ')}: ${includes}`,
    ),
    '',
    '## Growth of p50, smallest to largest',
    '',
    '| workload | smallest ms | largest ms | factor (goal ≤ 1.3×) |',
    '| --- | --- | --- | --- |',
    ...workloads.flatMap(({ key, name, grows }) => {
      const [first, last] = [small.measured[key], large.measured[key]]
      return grows && first && last
        ? row(name, ms(first.p50), ms(last.p50), `${(last.p50 / first.p50).toFixed(2)}×`)
        : []
    }),
    '',
    ...(start ? startTable(start) : []),
    ...(fanOut ? fanOutTable(fanOut) : []),
    ...(frontEnd ? budgetTable('Front end (Chromium, CPU slowed 4×, cold cache)', frontEnd) : []),
    ...(builder ? budgetTable('Builder of chat flows, 500 steps (Chromium, CPU slowed 4×, cold cache)', builder) : []),
    ...(board ? budgetTable('Board of 100,000 contacts (Chromium, CPU slowed 4×, cold cache)', board) : []),
    ...(hostile ? budgetTable('Hostile input: twice as long, so many times the CPU', hostile) : []),
    ...(files ? budgetTable('Files', files) : []),
    ...(linked ? budgetTable('Linked numbers (phones and WhatsApp on the same cores)', linked) : []),
    ...(mail ? budgetTable('Mailboxes (their servers on the same cores)', mail) : []),
    ...(webchat
      ? budgetTable('Webchat (visitors on the same cores; Chromium, CPU slowed 4×, cold cache)', webchat)
      : []),
  ].join('\n')
}

const row = (...cells: string[]) => [`| ${cells.join(' | ')} |`]

const startTable = ({ cpu, memory }: Start) => [
  '## Start on known data, and at rest',
  '',
  '| | measured | goal |',
  '| --- | --- | --- |',
  ...row('CPU of the server until it answers', `${rate(cpu)} ms`, '≤ 800'),
  ...row('memory (RSS) of the server after ten idle seconds', `${rate(memory)} MB`, '≤ 150'),
  '',
]

const fanOutTable = ({ raw, ours }: { raw: FanOut; ours: FanOut }) => [
  '## Fan-out to 500 sockets, 1.5 kB events',
  '',
  '| | highest rate with p99 ≤ 50 ms | deliveries/s at the ceiling | µs of the server per delivery |',
  '| --- | --- | --- | --- |',
  ...row('bare Socket.IO', `${Math.round(raw.safe)} ev/s`, rate(raw.ceiling), raw.cost.toFixed(1)),
  ...row(
    'ours',
    `${Math.round(ours.safe)} ev/s (${percent(ours.safe, raw.safe)}, goal ≥ 85 %)`,
    `${rate(ours.ceiling)} (${percent(ours.ceiling, raw.ceiling)}, goal ≥ 65 %)`,
    ours.cost.toFixed(1),
  ),
  '',
]

const budgetTable = (title: string, budgets: FrontEnd | Linked) => [
  `## ${title}`,
  '',
  '| budget | measured | goal |',
  '| --- | --- | --- |',
  ...budgets.flatMap(({ name, value, unit, goal }) =>
    row(name, `${value >= 1000 ? rate(value) : ms(value)} ${unit}`, goal),
  ),
  '',
]
