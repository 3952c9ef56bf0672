import type { FrontEnd } from './front-end.ts'
import type { Linked } from './linked.ts'
import type { Measure } from './loop.ts'
import type { FanOut } from './realtime.ts'
import type { Start } from './start.ts'
import { workloads } from './workloads.ts'

/** A workload's figures with those of its raw limit, measured just before. */
export type Measured = Measure & { limit?: Measure }

/** Results of a run; `sizes` in messages, smallest first, each by the keys of the workloads. */
export type Results = {
  sizes: { size: number; measured: Record<string, Measured> }[]
  start?: Start
  fanOut?: { raw: FanOut; ours: FanOut }
  frontEnd?: FrontEnd
  builder?: FrontEnd
  board?: FrontEnd
  funnel?: FrontEnd
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

/** Line of the table: measure, figure, goal, and the `--only` argument that measures it alone. */
type Row = { what: string; measured: string; goal: string; only: string }

/**
 * Returns the text of docs/benchmarks.md: one table of the current figures, each with goal, date and command, and what each
 * workload includes. A figure per second has its share of the raw limit beside it, since absolute figures of different days
 * do not compare.
 */
export function report(about: { version: string; date: string; machine: string }, results: Results): string {
  const { sizes, start, fanOut } = results
  const rows = [
    ...sizes.flatMap(({ size, measured }) => workloadRows(size, measured)),
    ...growthRows(sizes),
    ...(start ? startRows(start) : []),
    ...(fanOut ? fanOutRows(fanOut) : []),
    ...budgetRows(results),
  ]
  const measured = new Set(sizes.flatMap((one) => Object.keys(one.measured)))
  const included = Object.entries(
    Object.groupBy(
      workloads.filter(({ key }) => measured.has(key)),
      ({ includes }) => includes,
    ),
  )
  return [
    '# Benchmarks',
    '',
    `Measured by \`npm run bench\`, version ${about.version}: ${about.machine}. Load generator, product and PostgreSQL (embedded, durable commits) share the cores; rate limits count and the log is written as usual.`,
    'Only ratios of one run compare; each figure is the middle one of three. The raw limit is the `pg` driver with prepared statements as owner, without HTTP, rights, row policies or events, measured just before on analysed tables after a checkpoint. Two states are compared by `npm run bench -- --compare <git ref>`; earlier figures are in git.',
    '',
    '| what | measured | goal | date | command |',
    '| --- | --- | --- | --- | --- |',
    ...rows.map(
      ({ what, measured, goal, only }) =>
        `| ${what} | ${measured} | ${goal} | ${about.date} | \`npm run bench -- --only=${only}\` |`,
    ),
    '',
    '## What each includes',
    '',
    ...included.map(([includes, all = []]) => `- ${all.map(({ name }) => name).join('; ')}: ${includes}`),
    '',
  ].join('\n')
}

/** Rate, delays and share of the raw limit of each workload that was measured at `size` messages. */
const workloadRows = (size: number, measured: Record<string, Measured>): Row[] =>
  workloads.flatMap(({ key, name, goal }) => {
    const ours = measured[key]
    if (!ours) return []
    const share = ours.limit
      ? `, ${percent(ours.perSecond, ours.limit.perSecond)} of raw ${rate(ours.limit.perSecond)}/s`
      : ''
    const figures = `${rate(ours.perSecond)}/s, p50 / p95 / p99 ${delays(ours)} ms${share}`
    return { what: `${name}; ${size.toLocaleString('en')} messages`, measured: figures, goal, only: key }
  })

/** Returns rows with the growth of the p50 from the smallest size to the largest, for workloads that must not grow. */
function growthRows(sizes: Results['sizes']): Row[] {
  const [small, large] = [sizes[0], sizes.at(-1)]
  if (!small || !large || small === large) return []
  return workloads.flatMap(({ key, name, grows }) => {
    const [first, last] = [small.measured[key], large.measured[key]]
    if (!grows || !first || !last) return []
    const factor = `${(last.p50 / first.p50).toFixed(2)}× (${ms(first.p50)} → ${ms(last.p50)} ms)`
    return { what: `${name}; growth of p50`, measured: factor, goal: '≤ 1.3×', only: key }
  })
}

const startRows = ({ cpu, memory }: Start): Row[] => [
  { what: 'CPU of the server until it answers', measured: `${rate(cpu)} ms`, goal: '≤ 800 ms', only: 'start' },
  {
    what: 'memory (RSS) of the server after ten idle seconds',
    measured: `${rate(memory)} MB`,
    goal: '≤ 150 MB',
    only: 'start',
  },
]

function fanOutRows({ raw, ours }: { raw: FanOut; ours: FanOut }): Row[] {
  const what = 'fan-out of 1.5 kB events to 500 sockets'
  const [safe, most] = [Math.round(ours.safe), rate(ours.ceiling)]
  const only = 'fanOut'
  return [
    {
      ...{ what: `${what}: highest rate with p99 ≤ 50 ms`, goal: '≥ 85 % of bare Socket.IO', only },
      measured: `${safe} events/s, ${percent(ours.safe, raw.safe)} of ${Math.round(raw.safe)}`,
    },
    {
      ...{ what: `${what}: deliveries at the ceiling`, goal: '≥ 65 % of bare Socket.IO', only },
      measured: `${most}/s, ${percent(ours.ceiling, raw.ceiling)} of ${rate(raw.ceiling)}`,
    },
    {
      ...{ what: `${what}: CPU of the server per delivery`, goal: '–', only },
      measured: `${ours.cost.toFixed(1)} µs (bare ${raw.cost.toFixed(1)})`,
    },
  ]
}

/** Returns the rows of pages, files and channels; figures measured together have one command, the others their own key. */
function budgetRows(results: Results): Row[] {
  const { frontEnd, builder, board, funnel, hostile, files, linked, mail, webchat } = results
  const groups: [FrontEnd | Linked | undefined, string, string?][] = [
    [frontEnd, 'page, CPU slowed 4×, cold', 'frontEnd'],
    [builder, 'builder of 500 steps, CPU slowed 4×, cold', 'builder'],
    [board, 'board of 100,000 contacts, CPU slowed 4×, cold', 'boardPaint'],
    [funnel, 'board of a funnel of 100,000 opportunities, CPU slowed 4×, cold', 'funnelPaint'],
    [hostile, 'hostile input, twice as long', 'hostile'],
    [files, 'files', 'files'],
    [linked, 'linked numbers'],
    [mail, 'mailboxes'],
    [webchat, 'webchat, CPU slowed 4×, cold'],
  ]
  return groups.flatMap(([budgets = [], area, only]) =>
    budgets.map(({ key, name, value, unit, goal }) => ({
      ...{ what: `${area}: ${name}`, goal, only: only ?? key },
      measured: `${value >= 1000 ? rate(value) : ms(value)} ${unit}`.trim(),
    })),
  )
}
