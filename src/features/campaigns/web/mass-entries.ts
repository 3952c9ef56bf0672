import { readCsv } from '#web/resource/csv.ts'

/** Number with the variable values of its line. */
export type Entry = { readonly number: string; readonly values: string[] }

/** Parses pasted lines: one number each, or (`hasValues`) `number,value,value`; semicolons and tabs are separators as well. */
export function readEntries(text: string, hasValues: boolean): Entry[] {
  if (text.trim() === '') return []
  if (hasValues)
    return readCsv(text).map(([number = '', ...values]) => ({
      number: number.trim(),
      values: values.map((one) => one.trim()),
    }))
  return text
    .split(/[\n,;]+/)
    .map((number) => number.trim())
    .filter((number) => number !== '')
    .map((number) => ({ number, values: [] }))
}

/** Formats lines for display: the number of each, and (`hasValues`) its values. */
export const listOf = (lines: readonly Entry[], hasValues: boolean): string =>
  lines
    .map(({ number, values }) =>
      hasValues
        ? [number, ...values].map((cell) => (/[,;"\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')
        : number,
    )
    .join('\n')
