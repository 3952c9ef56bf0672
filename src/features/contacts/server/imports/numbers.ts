import { rankOf, usesOf } from '#domain/contacts/columns.ts'
import { numberProblem } from '#domain/contacts/import-row.ts'
import { phoneKey } from '#domain/phone/brazil.ts'
import { fail } from '#kit/errors.ts'
import { phoneReader } from '#server/phone.ts'
import { sanitizeForPostgres } from '#server/sanitize.ts'
import { lettersOf } from './letters.ts'
import { type FileRow, MOST_TITLE_LINES, readRows } from './read-file.ts'
import { isUnreadable } from './unreadable.ts'

/** Numbers of a CSV file, each with the values of its other columns, and the lines without one. */
export type NumberList = {
  readonly lines: { readonly number: string; readonly values: string[] }[]
  readonly columns: string[]
  readonly problems: { readonly line: number; readonly text: string }[]
  readonly rejected: number
  /** True if non-ASCII letters may be decoded wrongly. */
  readonly isDoubtful: boolean
}

/** Maximum number of skipped lines reported. */
const NAMED = 50
const MOST_VALUES = 20
const MOST_LETTERS = 1000

/**
 * Reads the numbers of a CSV file as an import does: any encoding and separator, with or without titles; throws over `most`
 * lines.
 */
export async function readNumbers(path: string, most: number): Promise<NumberList> {
  try {
    return await read(path, most)
  } catch (error) {
    if (isUnreadable(error)) return fail('ERR_VALIDATION', { file: error.message })
    throw error
  }
}

async function read(path: string, most: number): Promise<NumberList> {
  const readPhone = await phoneReader()
  const { encoding, isDoubtful } = await lettersOf(path)
  const rows = await rowsOf({ kind: 'csv', path, encoding }, most)
  const { header, at, rest } = numbersIn(rows, (cell) => readPhone(cell)?.e164 !== undefined)
  const lines: { number: string; values: string[] }[] = []
  const problems: { line: number; text: string }[] = []
  const seen = new Map<string, number>()
  for (const { line, cells } of rest) {
    const given = (cells[at] ?? '').trim()
    const digits = readPhone(given)?.e164?.replace(/\D/g, '')
    const before = digits && seen.get(phoneKey(digits))
    if (!digits)
      problems.push({ line, text: given === '' ? 'Sem número.' : `“${given.slice(0, 40)}”: ${numberProblem(given)}` })
    else if (before) problems.push({ line, text: `Repete o número da linha ${before}.` })
    else {
      seen.set(phoneKey(digits), line)
      const values = cells.filter((_, n) => n !== at).map((cell) => cell.trim().slice(0, MOST_LETTERS))
      lines.push({ number: given.slice(0, 40), values: values.slice(0, MOST_VALUES) })
    }
  }
  const columns = header.filter((_, n) => n !== at).map((title) => title.trim().slice(0, 60))
  return sanitizeForPostgres({
    lines,
    columns,
    problems: problems.slice(0, NAMED),
    rejected: problems.length,
    isDoubtful,
  })
}

async function rowsOf(file: Parameters<typeof readRows>[0], most: number): Promise<FileRow[]> {
  const rows: FileRow[] = []
  for await (const row of readRows(file)) {
    if (row.cells.some((cell) => cell.trim() !== '')) rows.push(row)
    if (rows.length > most + MOST_TITLE_LINES)
      fail('ERR_VALIDATION', { file: `O arquivo tem mais de ${most.toLocaleString('pt-BR')} linhas.` })
  }
  return rows
}

/** Returns the titles, the column of numbers (by its title, else by the first number) and the rows after them. */
function numbersIn(rows: readonly FileRow[], isNumber: (cell: string) => boolean) {
  for (const [n, { cells }] of rows.slice(0, MOST_TITLE_LINES).entries()) {
    const titled = usesOf(cells).flatMap((use, at) => (use === 'number' ? [at] : []))
    if (titled.length > 0) {
      const at = titled.toSorted((one, other) => rankOf(cells[one]!) - rankOf(cells[other]!))[0]!
      return { header: cells, at, rest: rows.slice(n + 1) }
    }
    const at = cells.findIndex(isNumber)
    if (at >= 0) return { header: n > 0 ? rows[n - 1]!.cells : [], at, rest: rows.slice(n) }
  }
  return { header: [], at: 0, rest: rows }
}
