import { phoneKey } from '../phone/brazil.ts'

const entriesOf = (list: string): string[] => list.split(/[\n,;]+/).filter((entry) => entry.trim() !== '')

/** Returns the entry of a list of numbers that cannot be one with country code, as a Portuguese text; null if all can. */
export function listProblem(list: string): string | null {
  const wrong = entriesOf(list).find((entry) => !/^\+?\d{8,17}$/.test(entry.replace(/[\s().-]/g, '')))
  return wrong === undefined ? null : `“${wrong.trim().slice(0, 40)}” não é um número com código do país e DDD.`
}

/** Returns the normalized lines of a list of numbers in any format; the ninth digit makes no difference. */
export const linesOf = (list: string): ReadonlySet<string> =>
  new Set(
    entriesOf(list)
      .map(phoneKey)
      .filter((line) => line !== ''),
  )

/** Whether an incoming message is dropped before it is processed (product facts 3.10). */
export function isUnwanted(
  arrival: { readonly isGroup: boolean; readonly isStory?: boolean; readonly number: string | null },
  settings: {
    readonly ignoreGroups: boolean
    readonly ignoreStories: boolean
    readonly forbidden: ReadonlySet<string>
  },
): boolean {
  if (arrival.isGroup && settings.ignoreGroups) return true
  if (arrival.isStory && settings.ignoreStories) return true
  return arrival.number !== null && settings.forbidden.has(phoneKey(arrival.number))
}
