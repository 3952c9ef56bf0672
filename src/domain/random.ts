/** Returns a random number (0 ≤ value < 1) and the next seed (mulberry32). */
export function random(seed: number): { readonly value: number; readonly seed: number } {
  const next = (seed + 0x6d2b79f5) >>> 0
  let mixed = Math.imul(next ^ (next >>> 15), next | 1)
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
  return { value: ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32, seed: next }
}
