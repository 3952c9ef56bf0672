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
/** So many lines are read before an answer gets its turn. */
const AT_ONCE = 50
const SAMPLES = 3
const MOST_LINES = 200_000
const MOST_COLUMNS = 200

/** By what a file is checked; `columns` is empty where nobody has chosen what they are for. */
export type FileCheck = SourceFile & {
  readonly columns: readonly StoredColumn[]
  readonly own: readonly OwnField[]
  readonly today: string
  readonly options: ImportOptions
  readonly tagIds: TagIds
}

/** What a block of lines comes to: how many of each, and those that are kept, as JSON lists of `GoodLine` and `RejectedLine`. */
export type CheckedBlock = {
  readonly total: number
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly rejected: number
  readonly good: { readonly line: number; readonly lines: string } | null
  readonly refused: string | null
  /** What the columns are for; of the first block, null of the others. */
  readonly columns: string | null
}

/** Who is there already of those to whom lines lead. */
export type Persons = { readonly persons: ReadonlyMap<string, number>; readonly known: readonly Known[] }

/** What a check asks of whoever has the database, one at a time. */
export type CheckAsks = {
  persons(keys: readonly RowKey[]): Promise<Persons>
  /** Saves a block; answers whether the import still goes on. */
  save(block: CheckedBlock): Promise<boolean>
  /** Saves how the letters of a text are read: JSON of `Letters`. */
  saveLetters(letters: string): Promise<boolean>
  /** Saves what is known of the columns where nothing else can be said. */
  saveColumns(columns: string): Promise<boolean>
}

/** Says of each line of a file what it would do; answers why the file cannot be taken. */
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
  // What everybody who is new has to have, as far as the file could say it.
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
  // While a block is decided and kept, the next one is read.
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
      // Whoever waits for it is told.
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

/** How the letters of a file are read; where that is not certain it is kept. */
async function encodingOf({ kind, path, options }: FileCheck, asks: CheckAsks): Promise<Encoding> {
  if (kind === 'xlsx') return 'utf-8'
  const letters = await lettersOf(path, options.encoding)
  if (letters.candidates.length > 0) await asks.saveLetters(JSON.stringify(sanitizeForPostgres(letters)))
  return letters.encoding
}

const isEmpty = ({ cells }: FileRow): boolean => cells.every((cell) => cell.trim() === '')

/** The line with the titles of columns, below what else is above it, else the first one with anything in it; and the lines behind. */
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

/** What lines come to: those that repeat an earlier one, or lead to its contact, are refused; `seen` remembers who was named where. */
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
