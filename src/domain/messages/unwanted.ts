import { phoneKey } from '../phone/brazil.ts'

const entriesOf = (list: string): string[] => list.split(/[\n,;]+/).filter((entry) => entry.trim() !== '')

/** Validates a list of numbers with country code; returns a Portuguese sentence on the first invalid entry, or null. */
export function listProblem(list: string): string | null {
  const wrong = entriesOf(list).find((entry) => !/^\+?\d{8,17}$/.test(entry.replace(/[\s().-]/g, '')))
  return wrong === undefined ? null : `“${wrong.trim().slice(0, 40)}” não é um número com código do país e DDD.`
}

/** The lines of a list of numbers, however they are written and separated; the ninth digit makes no difference. */
export const linesOf = (list: string): ReadonlySet<string> =>
  new Set(
    entriesOf(list)
      .map(phoneKey)
      .filter((line) => line !== ''),
  )

/** Whether what arrives is dropped before anything is made of it (product facts 3.10). */
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
