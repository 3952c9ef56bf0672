import { itemAt } from '../present.ts'

/** Returns a deterministic fraction of 1 for an id. */
function fractionOf(id: string): number {
  let hash = 2_166_136_261
  for (const one of id) hash = Math.imul(hash ^ one.charCodeAt(0), 16_777_619)
  // Without this mixing, texts that differ at the end have similar hashes.
  hash = Math.imul(hash ^ (hash >>> 15), 2_246_822_507)
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32
}

/** Returns the index of the variant for a recipient, distributed by weight and deterministic in the id. */
export function variantOf(id: string, weights: readonly number[]): number {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  let left = fractionOf(id) * total
  for (const [index, weight] of weights.entries()) {
    left -= weight
    if (left < 0) return index
  }
  return Math.max(0, weights.length - 1)
}

/** Proportion between 0 and 1 with its 95 % Wilson interval. */
export type Share = { readonly share: number; readonly low: number; readonly high: number }

/** Returns the proportion of `cases` in `of` with its confidence interval. */
export function shareOf(cases: number, of: number): Share {
  if (of === 0) return { share: 0, low: 0, high: 1 }
  const z = 1.96
  const share = cases / of
  const middle = (share + (z * z) / (2 * of)) / (1 + (z * z) / of)
  const half = (z / (1 + (z * z) / of)) * Math.sqrt((share * (1 - share)) / of + (z * z) / (4 * of * of))
  return { share, low: Math.max(0, middle - half), high: Math.min(1, middle + half) }
}

/** Returns the index of the proportion whose interval is above all others; null while intervals overlap. */
export function winnerOf(shares: readonly Share[]): number | null {
  const best = shares.reduce((at, one, index) => (one.share > itemAt(shares, at).share ? index : at), 0)
  const isClear = shares.every((one, index) => index === best || one.high < itemAt(shares, best).low)
  return shares.length > 1 && isClear ? best : null
}
