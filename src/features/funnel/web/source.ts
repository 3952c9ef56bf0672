import { contactEvents } from '#features/ledger/event-addresses.ts'
import type { Answer } from '#kit/contract.ts'
import type { BoardSource, Live } from '#web/board/use-board.ts'
import { call } from '#web/client.ts'
import { on } from '#web/realtime/realtime.ts'
import { funnelEvents, opportunities } from '../addresses.ts'
import type { Figures, Opportunity } from '../contract.ts'
import { type Filter, LIMIT } from './board-filter.ts'

/** Opportunity on the board; its stage is the column. */
export type Card = Opportunity & { readonly columnId: number | null }

const cardOf = (row: Opportunity): Card => ({ ...row, columnId: row.stageId })
type Counted = Pick<Answer<typeof opportunities.column>, 'count' | 'value' | 'advances'>
const countOf = ({ count, value, advances }: Counted) => ({
  count,
  countIsCapped: false,
  facts: { value, advances },
})

/**
 * Creates the board's data source: opportunities of a pipeline by stage; passes the board's figures to `onFigures`. `id`:
 * null for the first pipeline, whose request the page has already preloaded.
 */
export function sourceOf(
  id: number | null,
  filter: Filter,
  limit: number,
  onFigures: (figures: Figures) => void,
): BoardSource<Card> {
  const isSorted = filter.ordenacao !== undefined
  const ofPipeline = id === null ? {} : { pipelineId: id }
  return {
    async read() {
      const query = { ...filter, ...ofPipeline, ...(limit === LIMIT ? {} : { limit }) }
      const { stages, figures } = await call(opportunities.board, { query }, { quiet: true })
      onFigures(figures)
      return stages.map(({ id, name, color, cards, hasMore, nextCursor, ...counted }) => ({
        ...{ id, name, color, isSorted, hasMore, nextCursor, cards: cards.map(cardOf) },
        ...countOf(counted),
      }))
    },
    async cards(ids) {
      const query = { ...filter, ...ofPipeline, ids: [...ids] }
      const found = await call(opportunities.cards, { query }, { quiet: true })
      onFigures(found.figures)
      return {
        cards: found.cards.map(cardOf),
        columns: found.stages.map(({ id, ...counted }) => ({ id, ...countOf(counted) })),
      }
    },
    async page(stageId, cursor) {
      const query = { ...filter, stageId: stageId ?? 0, limit, cursor }
      const { cards, hasMore, nextCursor, ...counted } = await call(opportunities.column, { query }, { quiet: true })
      return { cards: cards.map(cardOf), hasMore, nextCursor, ...countOf(counted) }
    },
    move: ({ id }, stageId, beforeId) =>
      call(
        opportunities.move,
        { params: { id }, body: { stageId: stageId ?? 0, ...(isSorted ? {} : { beforeId }) } },
        { quiet: true },
      ),
    follow: ({ note, readAll, cards }: Live<Card>) => {
      const ofContact = (contactId: number) =>
        cards().flatMap(({ id, contact }) => (contact.id === contactId ? [id] : []))
      return [
        on(funnelEvents.moved, ({ ids }) => note(ids)),
        on(funnelEvents.pipelines, readAll),
        on(contactEvents.update, ({ id }) => note(ofContact(id))),
      ]
    },
  }
}
