import { timingSafeEqual } from 'node:crypto'

/** Compares a secret in constant time. */
export function isSame(given: string, right: string | undefined): boolean {
  if (!right) return false
  const [one, other] = [Buffer.from(given), Buffer.from(right)]
  return one.length === other.length && timingSafeEqual(one, other)
}
