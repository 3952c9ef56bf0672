import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { pipeline, Readable } from 'node:stream'
import type { CsvError } from 'csv-parse'
import type { ColumnUse } from '#domain/contacts/columns.ts'
import { CARD_BEGINS, CARD_ENDS, readCard } from '#domain/contacts/vcard.ts'

/** A file to read: what it is, and where it lies on this machine's disk. */
export type SourceFile = { readonly kind: 'csv' | 'xlsx' | 'vcf'; readonly path: string }
/** A line as a spreadsheet numbers it: the header is 1. */
export type FileRow = { readonly line: number; readonly cells: readonly string[] }

/** The largest spreadsheet that is tried: it is taken apart as a whole. */
const SHEET_BYTES = 20 * 1024 * 1024
/** What is said of a spreadsheet that cannot be taken apart, or only with more memory than there is for it. */
export const NOT_A_SHEET = 'Esta planilha não pôde ser aberta. Salve-a de novo como XLSX, ou como CSV.'
const LONGEST_LINE = 100_000
/** Lines of a card that are looked at; a picture within has very many. */
const LONGEST_CARD = 5000

/** Makes the error of a file that cannot be read to its end; the sentence is for people. */
const unreadable = (problem: string): Error => Object.assign(new Error(problem), { isUnreadable: true })

/** Whether something thrown says why a file cannot be read. */
export const isUnreadable = (error: unknown): error is Error => error instanceof Error && 'isUnreadable' in error

/** What the lines of an address book's cards become, and what these columns are for. */
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

/** The lines of a file, the header first; of what is large only a part is in memory at a time. */
export function readRows({ kind, path }: SourceFile): AsyncGenerator<FileRow> {
  if (kind === 'xlsx') return readSheet(path)
  return kind === 'csv' ? readCsv(path) : readCards(path)
}

async function* readCsv(path: string): AsyncGenerator<FileRow> {
  const encoding = await encodingOf(path)
  const delimiter = delimiterIn(await firstText(path, encoding))
  const { parse } = await import('csv-parse')
  const lines = parse({ delimiter, relax_quotes: true, relax_column_count: true, max_record_size: LONGEST_LINE })
  pipeline(Readable.from(texts(path, encoding)), lines, () => {})
  let line = 0
  try {
    for await (const cells of lines) yield { line: ++line, cells }
  } catch (error) {
    if (!(error as Partial<CsvError>).code?.startsWith('CSV_')) throw error
    throw unreadable(`A linha ${line + 1} abre aspas que nunca fecham, ou é longa demais.`)
  }
}

async function* readCards(path: string): AsyncGenerator<FileRow> {
  yield { line: 1, cells: CARD_COLUMNS.map(([title]) => title) }
  let line = 1
  let card: string[] | null = null
  for await (const text of linesOf(texts(path, await encodingOf(path)))) {
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
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split(/\r?\n/)
    rest = lines.pop()!
    yield* lines
  }
  yield rest
}

// UTF-8 where all of it can be read so, else what spreadsheets wrote before.
async function encodingOf(path: string): Promise<'utf-8' | 'windows-1252'> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const chunk of createReadStream(path)) decoder.decode(chunk, { stream: true })
    decoder.decode()
    return 'utf-8'
  } catch (error) {
    if (error instanceof TypeError) return 'windows-1252'
    throw error
  }
}

async function* texts(path: string, encoding: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding)
  for await (const chunk of createReadStream(path)) yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}

async function firstText(path: string, encoding: string): Promise<string> {
  for await (const text of texts(path, encoding)) if (text !== '') return text
  return ''
}

// What stands most often in the header, outside of quotes.
function delimiterIn(text: string): string {
  const [header = ''] = text.replace(/"[^"]*"/g, '').split(/\r?\n/, 1)
  const often = (one: string) => header.split(one).length
  return [';', ',', '\t'].reduce((best, one) => (often(one) > often(best) ? one : best))
}

const cellText = (cell: unknown): string => {
  if (cell instanceof Date) return cell.toISOString().slice(0, 10)
  if (typeof cell === 'boolean') return cell ? 'Sim' : 'Não'
  return typeof cell === 'number' ? String(cell).replace('.', ',') : String(cell ?? '')
}

async function* readSheet(path: string): AsyncGenerator<FileRow> {
  if ((await stat(path)).size > SHEET_BYTES)
    throw unreadable('Esta planilha é grande demais. Salve-a como CSV e importe de novo.')
  const { readSheet: rowsOf } = await import('read-excel-file/node')
  const rows = await rowsOf(await readFile(path)).catch(() => {
    throw unreadable(NOT_A_SHEET)
  })
  let line = 0
  for (const cells of rows) yield { line: ++line, cells: cells.map(cellText) }
}
