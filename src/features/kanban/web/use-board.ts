import { useEffect, useMemo, useRef } from 'react'
import { contacts } from '#features/contacts/addresses.ts'
import { contactEvents, ticketEvents } from '#features/ledger/event-addresses.ts'
import { sentence } from '#web/api.ts'
import { call } from '#web/client.ts'
import { on, onReconnect, onResync } from '#web/realtime/realtime.ts'
import { createSoon } from '#web/soon.ts'
import { createStore } from '#web/store.ts'
import { t } from '#web/t.ts'
import { notify } from '#web/ui/feedback/notify.tsx'
import { stageEvents } from '../addresses.ts'
import { board } from '../board-addresses.ts'
import type { Card } from '../contract.ts'
import type { Filter } from './board-filter.ts'
import { addPage, type Column, cardOf, moveCard, nextOf, refreshCards } from './columns.ts'

/** More cards than this are not read one by one. */
const mostCards = 100

type State = { readonly columns: readonly Column[] | null; readonly error: Error | null }

/** The board of a filter: as it was read, patched by what people do here and what is received from others. */
export function useBoard(filter: Filter) {
  // What was shown stays until the new filter's columns are there.
  const shown = useRef<readonly Column[] | null>(null)
  const live = useMemo(() => createBoard(filter, shown.current), [filter])
  useEffect(() => live.start(), [live])
  const { columns, error } = live.state.use()
  shown.current = columns
  return { ...live, columns, error }
}

/** What reads and changes a board that is on screen. While a card is dragged nothing else moves under it. */
function createBoard(filter: Filter, before: readonly Column[] | null) {
  const state = createStore<State>({ columns: before, error: null })
  const stale = new Set<number>()
  // Moves that the server has not answered yet: until then the card stays where it was dropped.
  const moving = new Set<number>()
  let isDragging = false
  const columnsNow = () => state.get().columns ?? []
  const change = (next: (columns: readonly Column[]) => Column[]) =>
    state.set({ columns: next(columnsNow()), error: null })

  async function read(): Promise<void> {
    try {
      const { columns } = await call(board.get, { query: filter }, { quiet: true })
      if (isDragging || moving.size > 0) readAll()
      else state.set({ columns, error: null })
    } catch (error) {
      state.set({ columns: null, error: error as Error })
    }
  }
  const readAll = createSoon(() => void read(), 200, 1000)

  const refresh = createSoon(() => void refreshNow(), 200, 1000)
  async function refreshNow(): Promise<void> {
    if (isDragging) return
    const ids = [...stale].filter((id) => !moving.has(id))
    for (const id of ids) stale.delete(id)
    if (ids.length === 0) return
    if (ids.length > mostCards) return readAll()
    try {
      const found = await call(board.cards, { query: { ...filter, ids } }, { quiet: true })
      const settled = (id: number) => !isDragging && !moving.has(id)
      const contacts = found.contacts.filter(({ id }) => settled(id))
      if (!isDragging) change((columns) => refreshCards(columns, ids.filter(settled), { ...found, contacts }))
      note(ids.filter((id) => !settled(id)))
    } catch {
      readAll()
    }
  }
  const note = (ids: readonly number[]) => {
    if (ids.length === 0) return
    for (const id of ids) stale.add(id)
    refresh()
  }
  const contactOf = (ticketId: number) =>
    columnsNow()
      .flatMap((column) => column.contacts)
      .filter(({ ticket }) => ticket?.id === ticketId)
      .map(({ id }) => id)

  /** Reads more of a column. */
  async function more(kanban: number | null): Promise<void> {
    const column = columnsNow().find((one) => one.kanban === kanban)
    if (!column?.nextCursor) return
    const asked = { ...filter, cursor: column.nextCursor, ...(kanban === null ? {} : { kanban }) }
    const page = await call(board.column, { query: asked }, { quiet: true })
    change((columns) => addPage(columns, kanban, page))
  }

  /** Puts a card before another of a stage (null: behind all), or out of the panel; one that is refused goes back, and why is said. */
  async function move(card: Card, kanban: number | null, before: number | null): Promise<boolean> {
    const column = columnsNow().find((one) => one.kanban === kanban)
    const others = column?.contacts.filter(({ id }) => id !== card.id) ?? []
    const index = before === null ? others.length : others.findIndex(({ id }) => id === before)
    moving.add(card.id)
    change((columns) => moveCard(columns, card, kanban, index < 0 ? others.length : index))
    try {
      const body = kanban === null ? { kanban } : { kanban, before }
      await call(contacts.update, { params: { id: card.id }, body }, { quiet: true })
      return true
    } catch (error) {
      notify({ tone: 'warn', title: t('{name} voltou para onde estava', { name: card.name }), text: sentence(error) })
      return false
    } finally {
      moving.delete(card.id)
      note([card.id, ...(before === null ? [] : [before])])
    }
  }

  /** Puts a card at an index of what a column shows; at its end it comes before what follows there. */
  async function drop(id: number, kanban: number | null, index: number): Promise<void> {
    const card = cardOf(columnsNow(), id)
    if (!card) return
    const shown = () =>
      columnsNow()
        .find((one) => one.kanban === kanban)
        ?.contacts.filter((one) => one.id !== id) ?? []
    if (kanban !== null && index >= shown().length) {
      moving.add(id)
      change((columns) => moveCard(columns, card, kanban, index))
      await more(kanban).catch(() => {})
    }
    await move(card, kanban, shown()[index]?.id ?? null)
  }

  /** Takes a card out of the panel, with the way back. */
  async function remove(card: Card): Promise<void> {
    const next = nextOf(columnsNow(), card)
    if (!(await move(card, null, null))) return
    const back = () => {
      const now = cardOf(columnsNow(), card.id) ?? { ...card, kanban: null, order: null }
      const isThere = next !== null && cardOf(columnsNow(), next)?.kanban === card.kanban
      void move(now, card.kanban, isThere ? next : null)
    }
    notify({
      tone: 'pos',
      title: t('{name} saiu do painel', { name: card.name }),
      action: { label: t('Desfazer'), run: back },
    })
  }

  const start = () => {
    void read()
    const offs = [
      on(contactEvents.moved, ({ ids }) => note(ids)),
      on(contactEvents.update, ({ id }) => note([id])),
      on(contactEvents.delete, ({ id }) => note([id])),
      on(ticketEvents.create, ({ contactId }) => note([contactId])),
      on(ticketEvents.update, ({ contactId }) => cardOf(columnsNow(), contactId) && note([contactId])),
      on(ticketEvents.delta, ({ id }) => note(contactOf(id))),
      on(ticketEvents.gone, ({ id }) => note(contactOf(id))),
      on(stageEvents.changed, readAll),
      onReconnect(readAll),
      onResync(readAll),
    ]
    return () => {
      for (const off of offs) off()
    }
  }
  const setDragging = (next: boolean) => {
    isDragging = next
    if (!next) refresh()
  }
  return { state, read, more, move, drop, remove, start, setDragging }
}
