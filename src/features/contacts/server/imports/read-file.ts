import { on } from 'node:events'
import { createRequire } from 'node:module'
import { pipeline, Readable } from 'node:stream'
import { Worker } from 'node:worker_threads'
import type { CsvError } from 'csv-parse'
import type { ColumnUse } from '#domain/contacts/columns.ts'
import { CARD_BEGINS, CARD_ENDS, readCard } from '#domain/contacts/vcard.ts'
import type { Platform } from '#server/platform.ts'

/** A file to read: what it is, and where it lies in the store. */
export type SourceFile = { readonly kind: 'csv' | 'xlsx' | 'vcf'; readonly path: string }
/** A line as a spreadsheet numbers it: the header is 1. */
export type FileRow = { readonly line: number; readonly cells: readonly string[] }

/** The most memory that opening a spreadsheet may take, and the largest one that is tried. */
const SHEET_MB = 512
const SHEET_BYTES = 20 * 1024 * 1024
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
export function readRows(platform: Platform, file: SourceFile): AsyncGenerator<FileRow> {
  if (file.kind === 'xlsx') return readSheet(platform, file.path)
  return file.kind === 'csv' ? readCsv(platform, file.path) : readCards(platform, file.path)
}

async function* readCsv(platform: Platform, path: string): AsyncGenerator<FileRow> {
  const encoding = await encodingOf(platform, path)
  const delimiter = delimiterIn(await firstText(platform, path, encoding))
  const { parse } = await import('csv-parse')
  const lines = parse({ delimiter, relax_quotes: true, relax_column_count: true, max_record_size: LONGEST_LINE })
  pipeline(Readable.from(texts(platform, path, encoding)), lines, () => {})
  let line = 0
  try {
    for await (const cells of lines) yield { line: ++line, cells }
  } catch (error) {
    if (!(error as Partial<CsvError>).code?.startsWith('CSV_')) throw error
    throw unreadable(`A linha ${line + 1} abre aspas que nunca fecham, ou é longa demais.`)
  }
}

async function* readCards(platform: Platform, path: string): AsyncGenerator<FileRow> {
  yield { line: 1, cells: CARD_COLUMNS.map(([title]) => title) }
  let line = 1
  let card: string[] | null = null
  for await (const text of linesOf(texts(platform, path, await encodingOf(platform, path)))) {
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
async function encodingOf(platform: Platform, path: string): Promise<'utf-8' | 'windows-1252'> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const chunk of platform.storage.read(path)) decoder.decode(chunk, { stream: true })
    decoder.decode()
    return 'utf-8'
  } catch (error) {
    if (error instanceof TypeError) return 'windows-1252'
    throw error
  }
}

async function* texts(platform: Platform, path: string, encoding: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding)
  for await (const chunk of platform.storage.read(path)) yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}

async function firstText(platform: Platform, path: string, encoding: string): Promise<string> {
  for await (const text of texts(platform, path, encoding)) if (text !== '') return text
  return ''
}

// What stands most often in the header, outside of quotes.
function delimiterIn(text: string): string {
  const [header = ''] = text.replace(/"[^"]*"/g, '').split(/\r?\n/, 1)
  const often = (one: string) => header.split(one).length
  return [';', ',', '\t'].reduce((best, one) => (often(one) > often(best) ? one : best))
}

// Opened in a thread of its own: it is taken apart as a whole, and neither its time nor its memory may be the server's.
const THREAD = `
  const { parentPort, workerData: { library, bytes } } = require('node:worker_threads')
  const text = (cell) =>
    cell === null ? '' : cell instanceof Date ? cell.toISOString().slice(0, 10) : cell === true ? 'Sim' : cell === false ? 'Não'
      : typeof cell === 'number' ? String(cell).replace('.', ',') : String(cell)
  require(library).readSheet(Buffer.from(bytes)).then(async (rows) => {
    for (let at = 0; at < rows.length; at += 500) {
      parentPort.postMessage(rows.slice(at, at + 500).map((cells) => cells.map(text)))
      await new Promise((resolve) => parentPort.once('message', resolve))
    }
    process.exit()
  })`

async function* readSheet(platform: Platform, path: string): AsyncGenerator<FileRow> {
  if ((await platform.storage.size(path)) > SHEET_BYTES)
    throw unreadable('Esta planilha é grande demais. Salve-a como CSV e importe de novo.')
  const bytes = Buffer.concat(await platform.storage.read(path).toArray())
  const library = createRequire(import.meta.url).resolve('read-excel-file/node')
  const thread = new Worker(THREAD, {
    eval: true,
    workerData: { library, bytes },
    resourceLimits: { maxOldGenerationSizeMb: SHEET_MB },
  })
  let line = 0
  try {
    for await (const [rows] of on(thread, 'message', { close: ['exit'] })) {
      for (const cells of rows as string[][]) yield { line: ++line, cells }
      thread.postMessage('next')
    }
  } catch (error) {
    platform.log.warn({ err: error }, 'a spreadsheet could not be read')
    throw unreadable('Esta planilha não pôde ser aberta. Salve-a de novo como XLSX, ou como CSV.')
  } finally {
    await thread.terminate()
  }
}
