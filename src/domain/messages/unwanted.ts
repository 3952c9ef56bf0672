import { lineKey } from '../phone/brazil.ts'

/** The lines of a list of numbers, however they are written and separated; the ninth digit makes no difference. */
export const linesOf = (list: string): ReadonlySet<string> =>
  new Set(
    list
      .split(/[\n,;]+/)
      .map(lineKey)
      .filter((line) => line !== ''),
  )

/** Whether what arrives is dropped before anything is made of it (product facts 3.10). */
export function isUnwanted(
  arrival: { readonly isGroup: boolean; readonly number: string | null },
  settings: { readonly ignoreGroups: boolean; readonly forbidden: ReadonlySet<string> },
): boolean {
  if (arrival.isGroup && settings.ignoreGroups) return true
  return arrival.number !== null && settings.forbidden.has(lineKey(arrival.number))
}
