import { ownFieldOf, usesOf } from '#domain/contacts/columns.ts'
import type { Encoding } from '#domain/contacts/letters.ts'
import type { OwnField } from '#kit/own-fields.ts'
import { phoneReader } from '#server/phone.ts'
import { sanitizeForPostgres } from '#server/sanitize.ts'
import { changeOf, createSeen, type ImportOptions, keyOf, type TagIds } from './decide.ts'
import { lettersOf } from './letters.ts'
import type { GoodLine, RejectedLine, StoredColumn } from './queries.ts'
import type { Known } from './queries-known.ts'
import { CARD_COLUMNS, type FileRow, MOST_TITLE_LINES, readRows, type SourceFile } from './read-file.ts'
import { type ReadRow, type RowKey, readRow, textOf } from './rows.ts'
import { isUnreadable } from './unreadable.ts'

const BLOCK = 500
/** Number of lines read before yielding to the event loop. */
const AT_ONCE = 50
const SAMPLES = 3
const MOST_LINES = 200_000
const MOST_COLUMNS = 200

/** Input of a file check; `columns` is empty if no uses were chosen. */
export type FileCheck = SourceFile & {
  readonly columns: readonly StoredColumn[]
  readonly own: readonly OwnField[]
  readonly today: string
  readonly options: ImportOptions
  readonly tagIds: TagIds
}

/** Result of a block of lines: counts, and JSON lists of `GoodLine` and `RejectedLine`. */
export type CheckedBlock = {
  readonly total: number
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly rejected: number
  readonly good: { readonly line: number; readonly lines: string } | null
  readonly refused: string | null
  /** Uses of the columns as JSON, in the first block; null in the others. */
  readonly columns: string | null
}

/** Existing contacts that lines refer to. */
export type Persons = { readonly persons: ReadonlyMap<string, number>; readonly known: readonly Known[] }

/** Database access of a check; calls run one at a time. */
export type CheckAsks = {
  persons(keys: readonly RowKey[]): Promise<Persons>
  /** Saves a block; returns false if the import was canceled. */
  save(block: CheckedBlock): Promise<boolean>
  /** Saves the text encoding: JSON of `Letters`. */
  saveLetters(letters: string): Promise<boolean>
  /** Saves the columns of a file that cannot be checked further. */
  saveColumns(columns: string): Promise<boolean>
}

/** Checks each line of a file and decides its outcome; returns the problem of an unusable file. */
export async function checkFile(file: FileCheck, asks: CheckAsks): Promise<string | undefined> {
  try {
    return await checkLines(file, asks)
  } catch (error) {
    if (isUnreadable(error)) return error.message
    throw error
  }
}

async function checkLines(file: FileCheck, asks: CheckAsks): Promise<string | undefined> {
  const { own, today } = file
  const lines = readRows({ ...file, encoding: await encodingOf(file, asks) })
  const { header, rest } = await headerOf(file, lines)
  if (!header) return 'Este arquivo está vazio.'
  const columns = columnsOf(file, header)
  const reading = { columns, fields: new Map(own.map((one) => [one.id, one])), today, readPhone: await phoneReader() }
  if (columns.every(({ use }) => use === null) && file.columns.length === 0) {
    await asks.saveColumns(JSON.stringify(columns))
    return 'Nenhuma coluna tem o nome de um campo. Diga abaixo o que cada uma é.'
  }
  const seen = createSeen()
  // Required custom fields that the file's columns cover.
  const required = own.filter(({ id, required }) => required && columns.some(({ use }) => ownFieldOf(use) === id))
  const samples: FileRow[] = []
  let isFirst = true
  const take = async (read: readonly ReadRow[]) => {
    const keys = read.flatMap((line) => ('content' in line ? [keyOf(line.content)] : []))
    const decided = decide(file, read, await asks.persons(keys), seen, required)
    const many = (outcome: Decided['outcome']) => decided.filter((one) => one.outcome === outcome).length
    const refused = decided.flatMap((one) => (one.outcome === 'rejected' ? [one.rejected] : []))
    const good = decided.flatMap((one) => ('good' in one ? [one.good] : []))
    const block = {
      ...{ total: decided.length, created: many('created'), updated: many('updated'), unchanged: many('unchanged') },
      rejected: refused.length,
      good: good[0] ? { line: good[0].line, lines: JSON.stringify(good) } : null,
      refused: refused.length > 0 ? JSON.stringify(refused) : null,
      columns: isFirst ? JSON.stringify(withSamples(columns, samples)) : null,
    }
    isFirst = false
    return asks.save(block)
  }
  let total = 0
  let waiting: ReadRow[] = []
  // Reads the next block while one is decided and saved.
  let taken: Promise<boolean> = Promise.resolve(true)
  try {
    for await (const line of rest) {
      if (isEmpty(line)) continue
      if (++total > MOST_LINES) return `Importe no máximo ${MOST_LINES.toLocaleString('pt-BR')} linhas por vez.`
      if (samples.length < SAMPLES) samples.push(line)
      waiting.push(readRow(line, reading))
      if (total % AT_ONCE === 0) await new Promise((resolve) => setImmediate(resolve))
      if (waiting.length < BLOCK) continue
      if (!(await taken)) return undefined
      taken = take(waiting)
      // The awaiting caller handles the error.
      taken.catch(() => {})
      waiting = []
    }
    if (total === 0) return 'Este arquivo não tem linhas abaixo do cabeçalho.'
    if ((await taken) && waiting.length > 0) await take(waiting)
    return undefined
  } finally {
    await taken.catch(() => {})
  }
}

/** Returns the text encoding of a file, and saves it if uncertain. */
async function encodingOf({ kind, path, options }: FileCheck, asks: CheckAsks): Promise<Encoding> {
  if (kind === 'xlsx') return 'utf-8'
  const letters = await lettersOf(path, options.encoding)
  if (letters.candidates.length > 0) await asks.saveLetters(JSON.stringify(sanitizeForPostgres(letters)))
  return letters.encoding
}

const isEmpty = ({ cells }: FileRow): boolean => cells.every((cell) => cell.trim() === '')

/** Returns the header line (below any preamble, else the first non-empty line) and the lines after it. */
async function headerOf({ kind, own }: FileCheck, lines: AsyncGenerator<FileRow>) {
  const above: FileRow[] = []
  let at = -1
  while (at < 0 && above.length < (kind === 'vcf' ? 1 : MOST_TITLE_LINES)) {
    const next = await lines.next()
    if (next.done) break
    above.push(next.value)
    if (usesOf(next.value.cells, own).some((use) => use !== null)) at = above.length - 1
  }
  if (at < 0) at = above.findIndex((one) => !isEmpty(one))
  async function* rest() {
    yield* above.slice(at + 1)
    yield* lines
  }
  return { header: above[at], rest: rest() }
}

function columnsOf({ columns: known, kind, own }: FileCheck, { cells }: FileRow): StoredColumn[] {
  const titles = cells.slice(0, MOST_COLUMNS).map((title) => title.trim())
  const found = kind === 'vcf' ? CARD_COLUMNS.map(([, use]) => use) : usesOf(titles, own)
  return titles.map((title, at) => ({
    title,
    use: known.length > 0 ? (known[at]?.use ?? null) : found[at]!,
    samples: [],
  }))
}

const withSamples = (columns: readonly StoredColumn[], lines: readonly FileRow[]): StoredColumn[] =>
  columns.map((one, at) => ({ ...one, samples: lines.map(({ cells }) => (cells[at] ?? '').slice(0, 80)) }))

type Decided =
  | { readonly outcome: 'created' | 'updated'; readonly good: GoodLine }
  | { readonly outcome: 'unchanged' }
  | { readonly outcome: 'rejected'; readonly rejected: RejectedLine }

/**
 * Decides the outcome of lines; rejects a line that repeats an earlier one or matches its contact. `seen` holds the earlier
 * lines.
 */
function decide(
  { options, tagIds }: FileCheck,
  lines: readonly ReadRow[],
  { persons, known: rows }: Persons,
  seen: ReturnType<typeof createSeen>,
  required: readonly OwnField[],
): Decided[] {
  const known = new Map(rows.map((row) => [row.id, row]))
  return lines.map((line): Decided => {
    const rejected = (...problems: string[]): Decided => ({
      outcome: 'rejected',
      rejected: { line: line.line, cells: sanitizeForPostgres(line.cells), problems },
    })
    if ('problems' in line) return rejected(...line.problems)
    const { content } = line
    const repeated = seen.repeatedBy(content)
    if (repeated !== undefined) return rejected(`Repete a linha ${repeated}.`)
    const one = known.get(persons.get(textOf(keyOf(content))) ?? 0)
    if (one && !one.isSeen) return rejected('Este contato é da carteira de outra pessoa.')
    const named = one && seen.ledTo(one.id)
    if (named !== undefined) return rejected(`Leva ao mesmo contato que a linha ${named}.`)
    const missing = one ? [] : required.filter(({ id }) => content.own?.[id] === undefined)
    if (missing.length > 0) return rejected(...missing.map(({ name }) => `${name}: preencha este campo.`))
    seen.remember(line.line, content, one?.id)
    const good = { line: line.line, content }
    if (!one) return { outcome: 'created', good }
    const isChanged = options.onDuplicate === 'update' && changeOf(one, content, options, tagIds) !== null
    return isChanged ? { outcome: 'updated', good } : { outcome: 'unchanged' }
  })
}
