/** What a closed loop measured: operations per second and delays in ms. */
export type Measure = { perSecond: number; p50: number; p95: number; p99: number }

/** Runs `work` over and over with `clients` at once: warm-up, then three rounds; the median round counts. */
export async function closedLoop(
  clients: number,
  work: (client: number) => Promise<unknown>,
  options: { warmUpMs?: number; roundMs?: number } = {},
): Promise<Measure> {
  const { warmUpMs = 1000, roundMs = 2000 } = options
  await round(clients, work, warmUpMs)
  const rounds = [
    await round(clients, work, roundMs),
    await round(clients, work, roundMs),
    await round(clients, work, roundMs),
  ]
  return rounds.sort((a, b) => a.perSecond - b.perSecond)[1]!
}

async function round(clients: number, work: (client: number) => Promise<unknown>, ms: number): Promise<Measure> {
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
