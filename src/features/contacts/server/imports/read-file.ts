import { createReadStream } from 'node:fs'
import { pipeline, Readable } from 'node:stream'
import iconv from 'iconv-lite'
import type { ColumnUse } from '#domain/contacts/columns.ts'
import type { Encoding } from '#domain/contacts/letters.ts'
import { CARD_BEGINS, CARD_ENDS, readCard } from '#domain/contacts/vcard.ts'
import { codeOf } from '#kit/errors.ts'
import { sheetRows } from './read-sheet.ts'
import { unreadable } from './unreadable.ts'

/** File to read: format, and path on the local disk. */
export type SourceFile = { readonly kind: 'csv' | 'xlsx' | 'vcf'; readonly path: string }
/** Text encoding. */
type Written = { readonly encoding: Encoding }
/** Line of a file, numbered as in a spreadsheet: the header is 1. */
export type FileRow = { readonly line: number; readonly cells: readonly string[] }

/** Maximum number of characters in a line, over all cells. */
const LONGEST_LINE = 100_000
/** Maximum number of characters in a line of an address book, which may hold a picture. */
const LONGEST_CARD_LINE = 2 * 1024 * 1024
/** Maximum number of cells in a line, above that of columns in a file. */
const MOST_CELLS = 201
/** Maximum number of lines examined per card; an embedded picture has very many. */
const LONGEST_CARD = 5000

/** Delimiter hint that Excel reads and writes above the header. */
const SEPARATOR_HINT = /^\ufeff?"?sep=([;,\t|])"?\s*?(?:\r?\n|$)/i
const DELIMITERS = [';', ',', '\t', '|'] as const
/** Maximum number of title lines above the header. */
export const MOST_TITLE_LINES = 10

/** Columns made from an address book's cards, with their uses. */
export const CARD_COLUMNS: readonly (readonly [title: string, use: ColumnUse])[] = [
  ['Nome', 'name'],
  ['Número', 'number'],
  ['E-mail', 'email'],
  ['Data de aniversário', 'birthdayDate'],
  ['Primeiro nome', 'firstName'],
  ['Sobrenome', 'lastName'],
  ['Empresa', 'businessName'],
  ...['Telefone 2', 'Telefone 3', 'Telefone 4', 'E-mail 2', 'E-mail 3', 'Aniversário', 'Observações'].map(
    (title) => [title, 'extra'] as const,
  ),
]

/** Returns the lines of a file, header first; streams large files. */
export function readRows({ kind, path, encoding }: SourceFile & Written): AsyncGenerator<FileRow> {
  if (kind === 'xlsx') return readSheet(path)
  return kind === 'csv' ? readCsv(path, encoding) : readCards(path, encoding)
}

async function* readCsv(path: string, encoding: Encoding): AsyncGenerator<FileRow> {
  const first = await firstText(path, encoding)
  const delimiter = delimiterIn(first)
  const { parse } = await import('csv-parse')
  const lines = parse({ delimiter, relax_quotes: true, relax_column_count: true, max_record_size: LONGEST_LINE })
  pipeline(Readable.from(texts(path, encoding)), lines, () => {})
  // A spreadsheet does not count the hint as a line.
  const hints = SEPARATOR_HINT.test(first) ? 1 : 0
  let line = -hints
  try {
    for await (const cells of lines) if (++line > 0) yield { line, cells: cells.slice(0, MOST_CELLS) }
  } catch (error) {
    if (!codeOf(error).startsWith('CSV_')) throw error
    throw unreadable(`A linha ${line + 1} abre aspas que nunca fecham, ou é longa demais.`)
  }
}

async function* readCards(path: string, encoding: Encoding): AsyncGenerator<FileRow> {
  yield { line: 1, cells: CARD_COLUMNS.map(([title]) => title) }
  let line = 1
  let card: string[] | null = null
  for await (const text of linesOf(texts(path, encoding))) {
    if (CARD_BEGINS.test(text)) card = []
    else if (card && CARD_ENDS.test(text)) {
      const { more, ...fields } = readCard(card)
      const all: Readonly<Record<string, string>> = { ...fields, ...more }
      yield {
        line: ++line,
        cells: CARD_COLUMNS.map(([title, use]) => all[use === 'extra' || use === null ? title : use] ?? ''),
      }
      card = null
    } else if (card && card.length < LONGEST_CARD) card.push(text)
  }
}

async function* linesOf(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ''
  let line = 0
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split(/\r?\n/)
    rest = lines.pop()!
    yield* lines
    line += lines.length
    if (rest.length > LONGEST_CARD_LINE) throw unreadable(`A linha ${line + 1} é longa demais.`)
  }
  yield rest
}

async function* texts(path: string, encoding: string): AsyncGenerator<string> {
  const decoder = iconv.getDecoder(encoding)
  for await (const chunk of createReadStream(path)) yield decoder.write(chunk)
  yield decoder.end() ?? ''
}

async function firstText(path: string, encoding: string): Promise<string> {
  for await (const text of texts(path, encoding)) if (text !== '') return text
  return ''
}

/** Returns the delimiter that a file names itself, else the most frequent unquoted one in its first line with any. */
function delimiterIn(text: string): string {
  const [, named] = SEPARATOR_HINT.exec(text) ?? []
  if (named) return named
  const lines = text.replace(/"[^"]*"/g, '').split(/\r?\n/, MOST_TITLE_LINES)
  const header = lines.find((line) => DELIMITERS.some((one) => line.includes(one))) ?? ''
  const often = (one: string) => header.split(one).length
  return DELIMITERS.reduce((best, one) => (often(one) > often(best) ? one : best))
}

async function* readSheet(path: string): AsyncGenerator<FileRow> {
  let line = 0
  for (const all of await sheetRows(path)) {
    const cells = all.slice(0, MOST_CELLS)
    line++
    if (cells.reduce((sum, cell) => sum + cell.length, 0) > LONGEST_LINE)
      throw unreadable(`A linha ${line} é longa demais.`)
    yield { line, cells }
  }
}
