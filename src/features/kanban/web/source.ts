import { contacts } from '#features/contacts/addresses.ts'
import { contactEvents, ticketEvents } from '#features/ledger/event-addresses.ts'
import type { Answer } from '#kit/contract.ts'
import type { BoardSource, Live } from '#web/board/use-board.ts'
import { call } from '#web/client.ts'
import { on } from '#web/realtime/realtime.ts'
import { stageEvents } from '../addresses.ts'
import { board } from '../board-addresses.ts'
import type { Card as Row } from '../contract.ts'
import type { Filter } from './board-filter.ts'

/** Contact on the board; its stage is the column. */
export type Card = Row & { readonly columnId: number | null }

const cardOf = (row: Row): Card => ({ ...row, columnId: row.kanban })
const pageOf = ({ contacts: rows, ...rest }: Answer<typeof board.column>) => ({ ...rest, cards: rows.map(cardOf) })

/** Returns the board source of the contacts matching a filter, by stage. */
export const sourceOf = (filter: Filter): BoardSource<Card> => ({
  async read() {
    const { columns } = await call(board.get, { query: filter }, { quiet: true })
    return columns.map(({ kanban, name, color, ...page }) => ({ id: kanban, name, color, ...pageOf(page) }))
  },
  async cards(ids) {
    const found = await call(board.cards, { query: { ...filter, ids: [...ids] } }, { quiet: true })
    const columns = found.columns.map(({ kanban, ...count }) => ({ id: kanban, ...count }))
    return { cards: found.contacts.map(cardOf), columns }
  },
  async page(kanban, cursor) {
    const asked = { ...filter, cursor, ...(kanban === null ? {} : { kanban }) }
    return pageOf(await call(board.column, { query: asked }, { quiet: true }))
  },
  move({ id }, kanban, before) {
    const body = kanban === null ? { kanban } : { kanban, before }
    return call(contacts.update, { params: { id }, body }, { quiet: true })
  },
  follow: ({ note, readAll, cards }: Live<Card>) => {
    const ofTicket = (ticketId: number) => cards().flatMap(({ id, ticket }) => (ticket?.id === ticketId ? [id] : []))
    return [
      on(contactEvents.moved, ({ ids }) => note(ids)),
      on(contactEvents.update, ({ id }) => note([id])),
      on(contactEvents.delete, ({ id }) => note([id])),
      on(ticketEvents.create, ({ contactId }) => note([contactId])),
      on(ticketEvents.update, ({ contactId }) => cards().some(({ id }) => id === contactId) && note([contactId])),
      on(ticketEvents.delta, ({ id }) => note(ofTicket(id))),
      on(ticketEvents.gone, ({ id }) => note(ofTicket(id))),
      on(stageEvents.changed, readAll),
    ]
  },
})
