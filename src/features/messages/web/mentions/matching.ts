import { folded } from '#web/fold.ts'

/**
 * Returns the entries whose key begins with the typed text, then those that contain it in key or text; ignores accents and
 * case.
 */
export function matching<T>(
  all: readonly T[],
  typed: string,
  keyOf: (one: T) => string,
  textOf: (one: T) => string,
): T[] {
  const wanted = folded(typed)
  if (!wanted) return [...all]
  const begins = all.filter((one) => folded(keyOf(one)).startsWith(wanted))
  const contains = all.filter((one) => !begins.includes(one) && folded(`${keyOf(one)} ${textOf(one)}`).includes(wanted))
  return [...begins, ...contains]
}
