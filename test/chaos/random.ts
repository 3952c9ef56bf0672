/** Pseudo-random numbers, determined by a seed. */
export type Random = {
  /** From 0 to 1. */
  next(): number
  /** A whole number, both ends included. */
  between(least: number, most: number): number
  of<T>(list: readonly T[]): T
}

/** Makes random numbers out of a seed (mulberry32). */
export function randomOf(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  return { next, between, of: (list) => list[between(0, list.length - 1)]! }
}
