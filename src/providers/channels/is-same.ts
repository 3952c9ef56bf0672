import { timingSafeEqual } from 'node:crypto'

/** Whether a word is the one that it has to be, in a time that says nothing about it. */
export function isSame(given: string, right: string | undefined): boolean {
  if (!right) return false
  const [one, other] = [Buffer.from(given), Buffer.from(right)]
  return one.length === other.length && timingSafeEqual(one, other)
}
