import { isoDay, localTime, offsetMinutes } from '#domain/calendar/local-time.ts'
import { ownFieldOf, usesOf } from '#domain/contacts/columns.ts'
import { phoneReader } from '#server/phone.ts'
import type { Platform } from '#server/platform.ts'
import { sanitizeForPostgres } from '#server/sanitize.ts'
import { type FieldRecord, listFields } from '../queries-fields.ts'
import { changeOf, keyOf, markOf, marksOf } from './decide.ts'
import {
  type GoodLine,
  insertBlock,
  insertRejected,
  type RejectedLine,
  removeLines,
  type StoredColumn,
  saveImport,
} from './queries.ts'
import { findPersons, readKnown, textOf } from './queries-known.ts'
import { CARD_COLUMNS, type FileRow, readRows, type SourceFile } from './read-file.ts'
import { type ReadRow, readRow } from './rows.ts'
import type { Turn } from './turn.ts'

const BLOCK = 500
/** So many lines are read before others get their turn. */
const AT_ONCE = 50
const SAMPLES = 3
const MOST_LINES = 200_000
const MOST_COLUMNS = 200

/** Says of each line of a file what it would do; writes nothing but that, so that it can begin anew at any time. */
export async function check(turn: Turn): Promise<string | undefined> {
  const { platform, tenantId, found, block } = turn
  const { id, kind, path } = found
  if (!path) return 'O arquivo desta importação não está mais aqui. Envie-o de novo.'
  const none = { total: 0, created: 0, updated: 0, unchanged: 0, rejected: 0 }
  const begun = await block(async (ctx) => {
    await removeLines(ctx.db, id)
    await saveImport(ctx.db, id, { ...none, done_row: 0, done: 0 })
  })
  if (!begun) return undefined
  const today = await todayOf(platform, tenantId)
  const lines = readRows(platform, { kind: kind as SourceFile['kind'], path })
  const header = await lines.next()
  if (header.done || header.value.cells.every((cell) => cell.trim() === '')) return 'Este arquivo está vazio.'
  const own = await platform.db.read(tenantId, listFields)
  const columns = columnsOf(found.columns, header.value, kind, own)
  const reading = { columns, fields: new Map(own.map((one) => [one.id, one])), today, readPhone: await phoneReader() }
  if (columns.every(({ use }) => use === null) && found.columns.length === 0) {
    await block((ctx) => saveImport(ctx.db, id, { columns: JSON.stringify(columns) }))
    return 'Nenhuma coluna tem o nome de um campo. Diga abaixo o que cada uma é.'
  }
  const seen = new Map<string, number>()
  // What everybody who is new has to have, as far as the file could say it.
  const required = own.filter(({ id, required }) => required && columns.some(({ use }) => ownFieldOf(use) === id))
  let total = 0
  const take = async (read: readonly ReadRow[]) => {
    const decided = await decide(turn, read, seen, required)
    const rejected = decided.flatMap((one) => (one.outcome === 'rejected' ? [one.rejected] : []))
    const good = decided.flatMap((one) => ('good' in one ? [one.good] : []))
    return block(async (ctx, now) => {
      await insertRejected(ctx.db, id, rejected)
      if (good[0]) await insertBlock(ctx.db, id, { line: good[0].line, lines: good, made: [] })
      const many = (outcome: Decided['outcome']) => decided.filter((one) => one.outcome === outcome).length
      await saveImport(ctx.db, id, {
        ...{ total: now.total + decided.length, created: now.created + many('created') },
        ...{ updated: now.updated + many('updated'), unchanged: now.unchanged + many('unchanged') },
        rejected: now.rejected + rejected.length,
        ...(now.total === 0 ? { columns: JSON.stringify(withSamples(columns, samples)) } : {}),
      })
    })
  }
  const samples: FileRow[] = []
  let waiting: ReadRow[] = []
  // While a block is decided and kept, the next one is read.
  let taken: Promise<boolean> = Promise.resolve(true)
  try {
    for await (const line of lines) {
      if (line.cells.every((cell) => cell.trim() === '')) continue
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

function columnsOf(
  known: readonly StoredColumn[],
  { cells }: FileRow,
  kind: string,
  own: readonly FieldRecord[],
): StoredColumn[] {
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

async function todayOf(platform: Platform, tenantId: number): Promise<string> {
  const { timezone } = await platform.settings.get(String(tenantId))
  const now = platform.now().getTime()
  return isoDay(localTime(now, offsetMinutes(timezone, now)))
}

type Decided =
  | { readonly outcome: 'created' | 'updated'; readonly good: GoodLine }
  | { readonly outcome: 'unchanged' }
  | { readonly outcome: 'rejected'; readonly rejected: RejectedLine }

/** What lines come to: those that repeat an earlier one, or lead to its contact, are refused; `seen` remembers who was named where. */
async function decide(
  { platform, tenantId, found: { options } }: Turn,
  lines: readonly ReadRow[],
  seen: Map<string, number>,
  required: readonly FieldRecord[],
): Promise<Decided[]> {
  const good = lines.flatMap((line) => ('content' in line ? [line.content] : []))
  const { persons, known } = await platform.db.read(tenantId, async (db) => {
    const persons = await findPersons(db, good.map(keyOf))
    const rows = await readKnown(db, [...new Set(persons.values())], options.onlyFor)
    return { persons, known: new Map(rows.map((row) => [row.id, row])) }
  })
  return lines.map((line): Decided => {
    const rejected = (...problems: string[]): Decided => ({
      outcome: 'rejected',
      rejected: { line: line.line, cells: sanitizeForPostgres(line.cells), problems },
    })
    if ('problems' in line) return rejected(...line.problems)
    const { content } = line
    const repeated = seen.get(markOf(content))
    if (repeated !== undefined) return rejected(`Repete a linha ${repeated}.`)
    const one = known.get(persons.get(textOf(keyOf(content))) ?? 0)
    if (one && !one.isSeen) return rejected('Este contato é da carteira de outra pessoa.')
    const named = one && seen.get(`id ${one.id}`)
    if (named !== undefined) return rejected(`Leva ao mesmo contato que a linha ${named}.`)
    const missing = one ? [] : required.filter(({ id }) => content.own?.[id] === undefined)
    if (missing.length > 0) return rejected(...missing.map(({ name }) => `${name}: preencha este campo.`))
    for (const mark of [...marksOf(content), ...(one ? [`id ${one.id}`] : [])])
      if (!seen.has(mark)) seen.set(mark, line.line)
    const good = { line: line.line, content }
    if (!one) return { outcome: 'created', good }
    const isChanged = options.onDuplicate === 'update' && changeOf(one, content, options) !== null
    return isChanged ? { outcome: 'updated', good } : { outcome: 'unchanged' }
  })
}
