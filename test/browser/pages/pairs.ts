/**
 * As few of the candidates as a greedy choice finds that have between them every pair that any candidate has: a bug that
 * two properties make together is met without trying every combination of all. `pairsOf` names the pairs of one.
 */
export function coverPairs<T extends object>(candidates: readonly T[], pairsOf: (one: T) => string[] = allPairs): T[] {
  const open = new Map(candidates.map((one) => [one, pairsOf(one)]))
  const missing = new Set([...open.values()].flat())
  const chosen: T[] = []
  while (missing.size > 0) {
    let best: { one: T; gain: number } | undefined
    for (const [one, pairs] of open) {
      const gain = pairs.filter((pair) => missing.has(pair)).length
      if (gain > (best?.gain ?? 0)) best = { one, gain }
    }
    chosen.push(best!.one)
    for (const pair of open.get(best!.one)!) missing.delete(pair)
  }
  return chosen
}

/** Every two properties of an object with their values, as text. */
export const allPairs = (one: object): string[] => {
  const properties = Object.entries(one).map((entry) => entry.join('='))
  return properties.flatMap((first, index) => properties.slice(index + 1).map((second) => `${first} ${second}`))
}
