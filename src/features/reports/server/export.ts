import { maskName, maskValue } from '#domain/access/restricted.ts'
import { clockTextIn } from '#domain/calendar/local-time.ts'
import { definitionOf, isTime } from '#domain/reports/measures.ts'
import { cellText, SUMMARY_NAMES } from '#domain/reports/summaries.ts'
import type { Input } from '#kit/contract.ts'
import { reading } from '#server/context.ts'
import type { Download } from '#server/http/download.ts'
import type { SlowCtx } from '#server/http/route.ts'
import { tableFile } from '#server/sheet.ts'
import type { namedReports } from '../contract.ts'
import { contactsAfter, reported } from './contacts.ts'
import { type ReportCtx, requireOrder, requirePeriod } from './figures.ts'
import type { ReportedContact } from './queries-contacts.ts'
import { pageOfRows, type RowRecord } from './queries-rows.ts'
import { countedOf, partsOf, periodFrom } from './rows.ts'
import { peopleOf } from './statistics.ts'
import { rowName, type SummaryQuery, summarize } from './summaries.ts'

/** Number of rows read at once. */
const PAGE = 2000
const LONGEST_MS = 300_000

/** Report and format of an export. */
export type Body = Input<typeof namedReports.export>['body']
type Columns<Row> = readonly (readonly [title: string, cell: (row: Row, zone: string) => string])[]

const timeIn = (zone: string, at: Date | null): string => (at ? clockTextIn(zone, at.getTime()) : '')
const money = (value: string | null): string => value?.replace('.', ',') ?? ''
const STATUS = { open: 'Aberto', pending: 'Pendente', closed: 'Resolvido' }

const TICKETS: Columns<RowRecord> = [
  ['ID', (row) => String(row.id)],
  ['Status', (row) => STATUS[row.status]],
  ['Nome', (row) => row.name],
  ['Número', (row) => row.number ?? ''],
  ['Nome do canal', (row) => row.whatsapp],
  ['Canal', (row) => row.channel],
  ['Última Mensagem', (row) => row.lastMessage],
  ['Mensagens Não Lidas', (row) => String(row.unreadMessages)],
  ['Motivo', (row) => row.reason ?? ''],
  ['Filas', (row) => row.queue ?? ''],
  ['Responsável', (row) => row.user ?? ''],
  ['Valor', (row) => money(row.value)],
  ['Notas', (row) => String(row.notes)],
  ['Avaliação', (row) => String(row.rating ?? '')],
  ['Data de Criação', (row, zone) => timeIn(zone, row.createdAt)],
  ['Início do atendimento', (row, zone) => timeIn(zone, row.startedAttendanceAt)],
  ['Resolvido em', (row, zone) => timeIn(zone, row.closedAt)],
]

const CONTACTS: Columns<ReturnType<typeof reported>> = [
  ['Nome', (row) => row.name],
  ['WhatsApp', (row) => row.number ?? ''],
  ['Email', (row) => row.email],
  ['Informações Extras', (row) => row.extraInfo.map(({ name, value }) => `${name}: ${value}`).join(' | ')],
  ['Etiquetas', (row) => row.tags.join(', ')],
  ['Estado', (row) => row.state ?? ''],
  ['Kanbans', (row) => row.kanban ?? ''],
  ['Carteiras', (row) => row.wallets.join(', ')],
  ['Anúncio', (row) => row.ad ?? ''],
  ['Criado em', (row, zone) => timeIn(zone, row.createdAt)],
]

const PEOPLE: Columns<Awaited<ReturnType<typeof peopleOf>>[number]> = [
  ['Nome', (row) => row.name ?? 'Sem responsável'],
  ['E-mail', (row) => row.email ?? ''],
  ['Pendentes', (row) => String(row.qtd_pendentes)],
  ['Em Atendimento', (row) => String(row.qtd_em_atendimento)],
  ['Resolvidos', (row) => String(row.qtd_resolvidos)],
  ['Total', (row) => String(row.qtd_por_usuario)],
]

/** Exports a whole report as a streamed file; aborts after five minutes. Masked for restricted users. */
export async function exportReport(ctx: SlowCtx, body: Body): Promise<Download> {
  const signal = AbortSignal.timeout(LONGEST_MS)
  const isMasked = ctx.user.restrictedUser
  const read = <T>(work: (read: ReportCtx) => Promise<T>): Promise<T> =>
    reading(ctx.platform, ctx, (one) => work({ ...one, user: ctx.user }))
  const zone = await read(async ({ settings }) => settings.timezone)
  if (body.report === 'contacts') requireOrder(body.filter)
  else requirePeriod(periodFrom(body.filter))
  const masked = <Row extends { name: string; number: string | null }>(row: Row): Row =>
    isMasked ? { ...row, name: maskName(row.name), number: maskValue(row.number) } : row

  async function* tickets(filter: Extract<Body, { report: 'tickets' }>['filter']) {
    for (let after: [number, number] | null = null; ; ) {
      signal.throwIfAborted()
      const start = after
      const rows: RowRecord[] = await read(async (one) =>
        pageOfRows(one.db, partsOf(one, filter), { after: start, limit: PAGE }, await countedOf(one, filter)),
      )
      for (const row of rows) yield isMasked ? { ...masked(row), lastMessage: maskValue(row.lastMessage) } : row
      const last = rows.at(-1)
      if (!last || rows.length < PAGE) return
      after = [last.position, last.id]
    }
  }
  async function* contacts(filter: Extract<Body, { report: 'contacts' }>['filter']) {
    for (let after: [number] | null = null; ; ) {
      signal.throwIfAborted()
      const start = after
      const rows: ReportedContact[] = await read((one) => contactsAfter(one, filter, start, PAGE))
      for (const row of rows)
        yield isMasked ? { ...masked(reported(row)), email: maskValue(row.email), extraInfo: [] } : reported(row)
      const last = rows.at(-1)
      if (!last || rows.length < PAGE) return
      after = [last.id]
    }
  }
  async function* people(filter: Extract<Body, { report: 'users' }>['filter']) {
    yield* await read((one) => peopleOf(one, periodFrom(filter)))
  }
  const file = <Row>(title: string, columns: Columns<Row>, rows: AsyncIterable<Row>) =>
    tableFile(
      body.format,
      { name: title.toLowerCase().replaceAll(' ', '-'), sheet: title },
      cellsOf(columns, rows, zone),
    )
  if (body.report === 'summary') {
    const { filter } = body
    const title = SUMMARY_NAMES[filter.report]
    return tableFile(body.format, { name: title.toLowerCase(), sheet: title }, await summaryCells(read, filter))
  }
  if (body.report === 'tickets') {
    const { measure = 'tickets' } = body.filter
    const timed: Columns<RowRecord> = isTime(measure)
      ? [[definitionOf(measure).name, (row) => cellText('ms', row.amount)]]
      : []
    return file('Atendimentos', [...TICKETS, ...timed], tickets(body.filter))
  }
  if (body.report === 'contacts') return file('Contatos', CONTACTS, contacts(body.filter))
  return file('Resumo por usuário', PEOPLE, people(body.filter))
}

async function summaryCells(
  read: <T>(work: (read: ReportCtx) => Promise<T>) => Promise<T>,
  filter: SummaryQuery,
): Promise<AsyncGenerator<string[]>> {
  // Read before the file starts, so that a refusal is an error response.
  const table = await read((one) => summaryTable(one, filter))
  return (async function* () {
    yield* table
  })()
}

/** Returns a summary as a table of texts: column names, rows, total. */
export async function summaryTable(ctx: ReportCtx, filter: SummaryQuery): Promise<string[][]> {
  const { columns, rows, total, by } = await summarize(ctx, filter)
  const cells = (values: readonly (number | null)[]) =>
    values.map((value, index) => cellText(columns[index]!.unit, value))
  return [
    [SUMMARY_NAMES[filter.report], ...columns.map(({ title }) => title)],
    ...rows.map((row) => [rowName(row, by), ...cells(row.values)]),
    ['Total', ...cells(total)],
  ]
}

async function* cellsOf<Row>(columns: Columns<Row>, rows: AsyncIterable<Row>, zone: string): AsyncGenerator<string[]> {
  yield columns.map(([title]) => title)
  for await (const row of rows) yield columns.map(([, cell]) => cell(row, zone))
}
