import { type CardStatus, percentOf } from '#domain/funnel/card.ts'
import { centsOf, decimalOf } from '#domain/funnel/money.ts'
import type { Order } from '#domain/funnel/orders.ts'
import { periodDays } from '#domain/funnel/periods.ts'
import type { Returned } from '#kit/contract.ts'
import { decodeCursor } from '#kit/cursor.ts'
import { fail, required } from '#kit/errors.ts'
import type { Handler } from '#server/http/route.ts'
import type { Figures, opportunities } from '../contract.ts'
import { type Asked, firstInStages, pageOfCards, type Start } from './queries.ts'
import { findStage, listPipelines, listStages, type StageRow } from './queries-pipelines.ts'
import { stageSums, statusSums } from './queries-sums.ts'
import { type Asking, askedOf, goingOn, readPage, serializeCards, todayOf } from './view.ts'

type Reads = 'board' | 'column' | 'cards'

/** Default statuses of a board. */
const SHOWN: readonly CardStatus[] = ['open']

/** Board of a company without a pipeline. */
const EMPTY = { stages: [], figures: { open: '0.00', expected: '0.00', winRate: null, average: null } }

/** Route handlers that read the board. */
export const boardReads: { readonly [K in Reads]: Handler<(typeof opportunities)[K]> } = {
  board: async (ctx, { query: { pipelineId: named, limit, ordenacao, ...filter } }) => {
    const order = ordenacao ?? 'rank'
    const pipelineId = named ?? (await firstPipeline(ctx))
    if (pipelineId === undefined) return EMPTY
    const stages = await stagesOf(ctx, pipelineId)
    const asked = await askedOf(ctx, { ...filter, status: filter.status ?? [...SHOWN] })
    // Pipelined: none depends on another's result.
    const [pages, counts, figures] = await Promise.all([
      pagesOf(ctx, asked, stages, order, limit),
      countsOf(ctx, asked, stages),
      figuresOf(ctx, pipelineId),
    ])
    return {
      stages: stages.map(({ id, name, color }, index) => ({ id, name, color, ...counts.get(id)!, ...pages[index]! })),
      figures,
    }
  },
  column: async (ctx, { query: { stageId, limit, cursor, ordenacao, ...filter } }) => {
    const order = ordenacao ?? 'rank'
    const stage = required(await findStage(ctx.db, stageId), 'ERR_NO_PIPELINE_STAGE_FOUND')
    const asked = await askedOf(ctx, { ...filter, status: filter.status ?? [...SHOWN] })
    const counts = await countsOf(ctx, asked, [stage])
    const start = { after: afterOf(cursor, order), offset: 0, limit }
    return { ...(await readPage(ctx, inStage(asked, stage.id), order, start)), ...counts.get(stage.id)! }
  },
  cards: async (ctx, { query: { pipelineId: named, ids = [], ordenacao, ...filter } }) => {
    const order = ordenacao ?? 'rank'
    const pipelineId = required(named ?? (await firstPipeline(ctx)), 'ERR_NO_PIPELINE_FOUND')
    const stages = await stagesOf(ctx, pipelineId)
    const asked = await askedOf(ctx, { ...filter, status: filter.status ?? [...SHOWN] })
    const found = await pageOfCards(
      ctx.db,
      { ...asked, narrowing: { ...asked.narrowing, pipelineId, ids } },
      'data_desc',
      { after: null, offset: 0, limit: ids.length },
    )
    const shown = found.map(({ id }) => id)
    const [cards, counts, figures] = await Promise.all([
      serializeCards(ctx, shown, order),
      countsOf(ctx, asked, stages),
      figuresOf(ctx, pipelineId),
    ])
    return { cards, stages: stages.map(({ id }) => ({ id, ...counts.get(id)! })), figures }
  },
}

const firstPipeline = async ({ db }: Asking) => (await listPipelines(db))[0]?.id

async function stagesOf({ db }: Asking, pipelineId: number): Promise<StageRow[]> {
  const [[pipeline], stages] = await Promise.all([listPipelines(db, pipelineId), listStages(db, pipelineId)])
  required(pipeline, 'ERR_NO_PIPELINE_FOUND')
  return stages
}

/** Parses the cursor of a column; throws 400 for a cursor of another order. */
export function afterOf(cursor: string | undefined, order: Order | 'rank'): Start['after'] {
  if (!cursor) return null
  const [value, id] = decodeCursor(cursor, 2)
  const isRight = typeof value === 'string' && (order === 'rank' || SORT_VALUES[order].test(value))
  return isRight && typeof id === 'number' && Number.isSafeInteger(id)
    ? [value, id]
    : fail('ERR_VALIDATION', { cursor: 'A posição da lista não é válida.' })
}

const SORT_VALUES: Readonly<Record<Order, RegExp>> = {
  valor_desc: /^\d{1,13}\.\d\d$/,
  valor_asc: /^\d{1,13}\.\d\d$/,
  data_desc: /^\d{1,16}$/,
  data_asc: /^\d{1,16}$/,
  fechamento: /^\d{4}-\d\d-\d\d$/,
}

const inStage = (asked: Asked, stageId: number): Asked => ({
  ...asked,
  narrowing: { ...asked.narrowing, stageIds: [stageId] },
})

// Loads the cards of all columns in one query.
async function pagesOf(
  ctx: Asking,
  asked: Asked,
  stages: readonly StageRow[],
  order: Order | 'rank',
  limit: number,
): Promise<Pick<Returned<typeof opportunities.column>, 'cards' | 'hasMore' | 'nextCursor'>[]> {
  const stageIds = stages.flatMap(({ id }) => (isHidden(asked, id) ? [] : id))
  const found = Map.groupBy(
    await firstInStages(ctx.db, asked, order, { stageIds, limit: limit + 1 }),
    ({ stageId }) => stageId,
  )
  const pages = stages.map(({ id }) => found.get(id) ?? [])
  const ids = pages.flatMap((page) => page.slice(0, limit).map(({ id }) => id))
  const cards = new Map((await serializeCards(ctx, ids, order)).map((card) => [card.id, card]))
  return pages.map((page) => ({
    cards: page.slice(0, limit).flatMap(({ id }) => cards.get(id) ?? []),
    ...goingOn(page, limit),
  }))
}

// A filter by stage leaves the other columns empty.
const isHidden = ({ narrowing: { stageIds } }: Asked, id: number): boolean => stageIds?.includes(id) === false

type Counts = { readonly count: number; readonly value: string; readonly advances: number | null }

/** Returns count and value of each column. */
async function countsOf(ctx: Asking, asked: Asked, stages: readonly StageRow[]): Promise<ReadonlyMap<number, Counts>> {
  const stageIds = stages.flatMap(({ id }) => (isHidden(asked, id) ? [] : id))
  const sums = await stageSums(ctx.db, { ...asked, narrowing: { ...asked.narrowing, stageIds } })
  const byStage = new Map(sums.map(({ stageId, ...sum }) => [stageId, sum]))
  return new Map(
    stages.map(({ id, exits, advances }) => {
      const { count, value } = byStage.get(id) ?? { count: 0, value: '0.00' }
      return [id, { count, value, advances: percentOf(advances, exits) }]
    }),
  )
}

/** Returns the figures above the board, of all visible cards of the pipeline. */
async function figuresOf(ctx: Asking, pipelineId: number): Promise<Figures> {
  const month = periodDays('mes_atual', todayOf(ctx)).from
  const sums = await statusSums(ctx.db, await askedOf(ctx, {}, { pipelineId }), month)
  const of = (status: CardStatus) =>
    sums.find((one) => one.status === status) ?? { count: 0, value: '0.00', expected: '0.00' }
  const [won, lost] = [of('win'), of('lose')]
  return {
    open: of('open').value,
    expected: of('open').expected,
    winRate: percentOf(won.count, won.count + lost.count),
    average: won.count === 0 ? null : decimalOf(centsOf(won.value) / BigInt(won.count)),
  }
}
