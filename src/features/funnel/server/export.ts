import { maskName, maskValue } from '#domain/access/restricted.ts'
import type { Input } from '#kit/contract.ts'
import { kindOf } from '#kit/fields/kinds.ts'
import { fieldOf, type OwnField } from '#kit/own-fields.ts'
import { reading } from '#server/context.ts'
import type { Download } from '#server/http/download.ts'
import type { SlowCtx } from '#server/http/route.ts'
import { listFields } from '#server/own-fields.ts'
import { tableFile } from '#server/sheet.ts'
import type { Opportunity, opportunities } from '../contract.ts'
import { cardFieldTables } from './fields.ts'
import { pageOfCards, type Start } from './queries.ts'
import { listStages } from './queries-pipelines.ts'
import { askedOf, serializeCards } from './view.ts'

const PAGE = 500
const LONGEST_MS = 300_000
const STATUSES = { open: 'Aberto', win: 'Ganho', lose: 'Perdido' } as const

const day = (text: string | null): string => (text ?? '').slice(0, 10).split('-').reverse().join('/')

type ExportRow = Opportunity & { readonly stageName: string }
const COLUMNS: readonly (readonly [title: string, cell: (row: ExportRow) => string])[] = [
  ['Oportunidade', ({ name }) => name],
  ['Contato', ({ contact }) => contact.name],
  ['Número', ({ contact }) => contact.number ?? ''],
  ['Etapa', ({ stageName }) => stageName],
  ['Status', ({ status }) => STATUSES[status]],
  ['Valor', ({ value }) => value.replace('.', ',')],
  ['Responsável', ({ responsibleName }) => responsibleName ?? ''],
  ['Previsão de fechamento', ({ closingForecast }) => day(closingForecast)],
  ['Motivo da perda', ({ reason }) => reason],
  ['Descrição', ({ description }) => description],
  ['Criada em', ({ createdAt }) => day(new Date(createdAt).toISOString())],
]

/** Exports the opportunities that match the filters as a streamed file; aborts after five minutes. */
export async function exportCards(
  ctx: SlowCtx,
  { format, pipelineId, ...filter }: Input<typeof opportunities.export>['body'],
): Promise<Download> {
  const signal = AbortSignal.timeout(LONGEST_MS)
  const { fields, zone } = await reading(ctx.platform, ctx, async ({ db, settings }) => ({
    fields: await listFields(db, cardFieldTables),
    zone: settings.timezone,
  }))
  // Opens a reader for each page, so that a slow client does not hold a database connection.
  async function* rows() {
    yield [...COLUMNS.map(([title]) => title), ...fields.map(({ name }) => name)]
    let start: Start | null = { after: null, offset: 0, limit: PAGE }
    while (start) {
      signal.throwIfAborted()
      const at: Start = start
      const { found, exported } = await reading(ctx.platform, ctx, async (inner) => {
        const reader = { ...inner, user: ctx.user }
        const page = await pageOfCards(inner.db, await askedOf(reader, filter, { pipelineId }), 'data_desc', at)
        const stages = new Map((await listStages(inner.db)).map(({ id, name }) => [id, name]))
        const cards = await serializeCards(
          reader,
          page.map(({ id }) => id),
        )
        return { found: page, exported: cards.map((card) => ({ ...card, stageName: stages.get(card.stageId) ?? '' })) }
      })
      for (const row of exported)
        yield [
          ...COLUMNS.map(([, cell]) => cell(shownTo(ctx.user, row as never))),
          ...fields.map((field) => ownText(field, row.fields[field.id], zone)),
        ]
      const last = found.at(-1)
      start = last && found.length === PAGE ? { after: [last.sortValue, last.id], offset: 0, limit: PAGE } : null
    }
  }
  return tableFile(format, { name: 'oportunidades', sheet: 'Oportunidades' }, rows())
}

const ownText = (field: OwnField, value: unknown, zone: string): string =>
  value === undefined ? '' : kindOf(fieldOf(field)).toText(value, fieldOf(field), { zone })

// Masks the row for restricted users: a file does not pass the masking of responses.
const shownTo = ({ restrictedUser }: { readonly restrictedUser: boolean }, row: ExportRow): ExportRow =>
  restrictedUser
    ? {
        ...row,
        contact: { ...row.contact, name: maskName(row.contact.name), number: maskValue(row.contact.number) },
      }
    : row
