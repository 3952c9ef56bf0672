/**
 * Returns a small set of candidates that covers every pair that any candidate has, chosen greedily (pairwise testing): it
 * meets a bug of two properties without every combination. `pairsOf` names a candidate's pairs.
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
