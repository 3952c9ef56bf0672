/** Figure of a round; `kind` decides which differences count. */
export type Figure = { value: number; kind: 'time' | 'cpu' | 'count' }
/** The figures of one round by their names. */
export type Round = Readonly<Record<string, Figure>>

/** Ratios below which a difference counts as noise: large for times on a shared machine, small for CPU. */
const UNDECIDED = { time: 0.25, cpu: 0.1, count: 0 }

const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return (sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!) / 2
}

/**
 * Returns a table of the medians of both states, with their ratio and the smallest and largest ratio of two consecutive
 * rounds. The rounds of each state are by measure, in the order in which they alternated.
 */
export function comparison(
  ref: string,
  rounds: readonly { name: string; before: readonly Round[]; after: readonly Round[] }[],
): string {
  const rows = rounds.flatMap(({ name, before, after }) =>
    Object.entries(before[0]!).map(([figure, { kind }]) => {
      const [was, is] = [before, after].map((all) => all.map((round) => round[figure]!.value)) as [number[], number[]]
      const [then, now] = [median(was), median(is)]
      if (then === 0) return `| ${name} | ${figure} | ${number(then)} | ${number(now)} | – |`
      const ratio = now / then
      const each = is.map((value, n) => value / was[n]!)
      const range = kind === 'count' ? '' : ` (${Math.min(...each).toFixed(2)}–${Math.max(...each).toFixed(2)})`
      const verdict = Math.abs(ratio - 1) < UNDECIDED[kind] ? ', undecided' : ''
      return `| ${name} | ${figure} | ${number(then)} | ${number(now)} | ×${ratio.toFixed(2)}${range}${verdict} |`
    }),
  )
  return [`| | | ${ref} | this state | ratio |`, '| --- | --- | --- | --- | --- |', ...rows].join('\n')
}

const number = (value: number): string => (value === 0 ? '0' : value >= 1000 ? value.toFixed(0) : value.toPrecision(3))
