/** Result of a closed loop: operations per second, and delays in ms. */
export type Measure = { perSecond: number; p50: number; p95: number; p99: number }

/** Number of rounds; the median counts. Comparisons that alternate two states run single rounds. */
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3)

/** Runs `work` over and over with `clients` at once: warm-up, then the rounds; the median round counts. */
export async function closedLoop(
  clients: number,
  work: (client: number) => Promise<unknown>,
  options: { warmUpMs?: number; roundMs?: number } = {},
): Promise<Measure> {
  const { warmUpMs = 1000, roundMs = 2000 } = options
  await round(clients, work, warmUpMs)
  return medianOf(() => round(clients, work, roundMs), 'perSecond')
}

/** Measures some times, one after the other; the one counts that is in the middle by one of its figures. */
export async function medianOf<T extends Record<K, number>, K extends string>(
  measure: () => Promise<T>,
  by: K,
): Promise<T> {
  const rounds: T[] = []
  while (rounds.length < ROUNDS) rounds.push(await measure())
  return rounds.sort((a, b) => a[by] - b[by])[ROUNDS >> 1]!
}

export async function round(clients: number, work: (client: number) => Promise<unknown>, ms: number): Promise<Measure> {
  const delays: number[] = []
  const start = performance.now()
  const end = start + ms
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      while (performance.now() < end) {
        const began = performance.now()
        await work(client)
        delays.push(performance.now() - began)
      }
    }),
  )
  return { perSecond: (delays.length / (performance.now() - start)) * 1000, ...percentiles(delays) }
}

/** The usual three percentiles of delays. */
export function percentiles(delays: readonly number[]): { p50: number; p95: number; p99: number } {
  const sorted = [...delays].sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) }
}
