import { itemAt } from '#domain/present.ts'
import { loadContacts, narrowingOf, onlyFor, serializeContact } from '#features/contacts/server/index.ts'
import { liveTickets } from '#features/ledger/server/changes/index.ts'
import { visibleSql } from '#features/visibility/server/index.ts'
import type { Input, Returned } from '#kit/contract.ts'
import { decodeCursor, encodeCursor } from '#kit/cursor.ts'
import { fail } from '#kit/errors.ts'
import type { Actor } from '#server/actors.ts'
import type { ReadCtx } from '#server/context.ts'
import type { Handler } from '#server/http/route.ts'
import { countOf } from '#server/paging.ts'
import type { board } from '../contract.ts'
import {
  type After,
  type Asked,
  type Column,
  countColumn,
  listStages,
  listTags,
  PAGE,
  pageOfColumn,
  seenOf,
} from './queries.ts'

type Asking = ReadCtx & { user: Actor }
type Page = Returned<typeof board.column>
type CardRow = Page['contacts'][number]
type Filter = Pick<Input<typeof board.get>['query'], 'searchParam' | 'tag' | 'wallet'>

/** Maximum number of columns of the board by tags. */
const MOST_TAGS = 20

/** Handlers of the board's read operations. */
export const boardReads: { readonly [K in Exclude<keyof typeof board, 'replaceStage'>]: Handler<(typeof board)[K]> } = {
  get: async (ctx, { query }) => {
    const asked = await askedOf(ctx, query)
    const columns = await columnsOf(ctx)
    const pages = await pagesOf(ctx, asked, columns)
    return { columns: columns.map((column, index) => ({ ...column, ...itemAt(pages, index) })) }
  },
  column: async (ctx, { query: { kanban = null, cursor, ...filter } }) =>
    nextPage(ctx, await askedOf(ctx, filter), { kanban }, cursor),
  cards: async (ctx, { query: { ids = [], ...filter } }) => {
    const asked = await askedOf(ctx, filter)
    const columns = []
    for (const { kanban } of await columnsOf(ctx))
      columns.push({ kanban, ...countOf(await countColumn(ctx.db, asked, { kanban })) })
    return { contacts: await cardsOf(ctx, await seenOf(ctx.db, asked, ids)), columns }
  },
  tags: async (ctx, { query: { tag, ...filter } }) => {
    const asked = await askedOf(ctx, filter)
    const all = await listTags(ctx.db)
    const shown = all.filter(({ id }) => !tag || tag.includes(id)).slice(0, MOST_TAGS)
    const pages = await pagesOf(
      ctx,
      asked,
      shown.map(({ id }) => ({ tag: id })),
    )
    return { columns: shown.map((one, index) => ({ ...one, ...itemAt(pages, index) })), total: all.length }
  },
  tagColumn: async (ctx, { query: { tag, cursor, ...filter } }) =>
    nextPage(ctx, await askedOf(ctx, filter), { tag }, cursor),
}

const columnsOf = async ({ db }: Asking) => [
  { kanban: null, name: 'Sem etapa', color: '#90867C' },
  ...(await listStages(db)).map(({ id, name, color }) => ({ kanban: id, name, color })),
]

const askedOf = async (ctx: Asking, filter: Filter): Promise<Asked> => ({
  onlyFor: onlyFor(ctx),
  narrowing: (await narrowingOf(ctx, filter)).narrowing,
})

async function nextPage(ctx: Asking, asked: Asked, column: Column, cursor: string | undefined): Promise<Page> {
  const after = cursor ? afterOf(column, decodeCursor(cursor, 1)[0]) : null
  const [page] = await pagesOf(ctx, asked, [column], after)
  return page!
}

const afterOf = (column: Column, value: unknown): After => {
  const isText = 'kanban' in column && column.kanban !== null
  if (isText && typeof value === 'string') return value
  return !isText && typeof value === 'number' && Number.isSafeInteger(value)
    ? value
    : fail('ERR_VALIDATION', { cursor: 'A posição da lista não é válida.' })
}

// Looks up the related records of all columns' cards at once.
async function pagesOf(ctx: Asking, asked: Asked, columns: readonly Column[], after: After = null): Promise<Page[]> {
  const found = []
  for (const column of columns) {
    const rows = await pageOfColumn(ctx.db, asked, column, after)
    // A complete first page needs no count.
    const isAll = after === null && rows.length <= PAGE
    found.push({ rows, count: countOf(isAll ? rows.length : await countColumn(ctx.db, asked, column)) })
  }
  const shown = found.map(({ rows }) => rows.slice(0, PAGE))
  const ids = [...new Set(shown.flatMap((rows) => rows.map(({ id }) => id)))]
  const cards = new Map((await cardsOf(ctx, ids)).map((card) => [card.id, card]))
  return found.map(({ rows, count }, index) => {
    const last = itemAt(shown, index).at(-1)
    const hasMore = rows.length > PAGE
    return {
      contacts: itemAt(shown, index).flatMap(({ id }) => cards.get(id) ?? []),
      ...count,
      hasMore,
      nextCursor: hasMore && last ? encodeCursor([last.key]) : null,
    }
  })
}

async function cardsOf(ctx: Asking, ids: readonly number[]): Promise<CardRow[]> {
  if (ids.length === 0) return []
  const rows = await loadContacts(ctx.db, ids)
  const tickets = await liveTickets(ctx.db, ids, visibleSql(ctx.user, ctx.settings))
  return rows.map((row) => {
    const { id, name, number, profilePicUrl, channels, tags, kanban } = serializeContact(ctx.platform, row)
    const ticket = tickets.get(id)
    return {
      ...{ id, name, number, profilePicUrl, channels, tags, kanban },
      order: row.kanban_order,
      ticket: ticket
        ? {
            id: ticket.id,
            status: ticket.status as 'open' | 'pending',
            username: ticket.username,
            unreadMessages: ticket.unread_messages,
            waitingSince: ticket.waiting_since,
          }
        : null,
    }
  })
}
