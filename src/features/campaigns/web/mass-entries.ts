import { readCsv } from '#web/resource/csv.ts'

/** A number with what the variables of its line stand for. */
export type Entry = { readonly number: string; readonly values: string[] }

/** Reads pasted lines: a number each, or (`hasValues`) `number,value,value`; semicolons and tabs part as well. */
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

/** Digits of a number, at least. */
const isNumber = (cell: string): boolean => cell.replace(/\D/g, '').length >= 8

/** Reads a CSV file as lines to send to: its header left out, and (`hasValues` false) of each row the number alone. */
export function listOf(file: string, hasValues: boolean): string {
  const rows = readCsv(file).filter((cells) => cells.some((cell) => cell.trim() !== ''))
  const list = rows[0]?.some(isNumber) ? rows : rows.slice(1)
  if (!hasValues) return list.map((cells) => cells.find(isNumber) ?? cells[0] ?? '').join('\n')
  return list
    .map((cells) => cells.map((cell) => (/[,;"\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(','))
    .join('\n')
}
