import { useEffect, useMemo, useRef } from 'react'
import { toError } from '#kit/errors.ts'
import { sentence } from '#web/api.ts'
import { onReconnect, onResync } from '#web/realtime/realtime.ts'
import { createSoon } from '#web/soon.ts'
import { createStore, type Store } from '#web/store.ts'
import { t } from '#web/t.ts'
import { notify } from '#web/ui/feedback/notify.tsx'
import {
  addPage,
  type BoardCard,
  type Column,
  type Count,
  cardOf,
  moveCard,
  nextOf,
  type Page,
  refreshCards,
} from './columns.ts'

/** Maximum number of cards that are reloaded one by one; beyond it the board is reloaded. */
const mostCards = 100

type State<C> = { readonly columns: readonly Column<C>[] | null; readonly error: Error | null }

/** Handle of a visible board for changes from outside. */
export type Live<C> = {
  /** Marks cards as possibly changed. */
  readonly note: (ids: readonly number[]) => void
  readonly readAll: () => void
  readonly cards: () => readonly C[]
}

/** Data source of a board: reads and moves its cards. */
export type BoardSource<C extends BoardCard> = {
  readonly read: () => Promise<readonly Column<C>[]>
  /** Returns some cards as they are now; missing ones no longer exist. */
  readonly cards: (
    ids: readonly number[],
  ) => Promise<{ readonly cards: readonly C[]; readonly columns: readonly Count[] }>
  readonly page: (columnId: number | null, cursor: string) => Promise<Page<C>>
  /** Moves a card before another of a column (null: behind all), or off the board (a null column). */
  readonly move: (card: C, columnId: number | null, before: number | null) => Promise<unknown>
  /** Subscribes to the events of its cards; returns the unsubscribe functions. */
  readonly follow: (live: Live<C>) => readonly (() => void)[]
}

/** Returns the board of a source: as loaded, patched by the user's changes and by received ones. */
export function useBoard<C extends BoardCard>(source: BoardSource<C>) {
  // The shown columns stay until those of the new source are loaded.
  const shown = useRef<readonly Column<C>[] | null>(null)
  const live = useMemo(() => createBoard(source, shown.current), [source])
  useEffect(() => live.start(), [live])
  const { columns, error } = live.state.use()
  shown.current = columns
  return { ...live, columns, error }
}

/** Board as its parts share it. */
type Board<C extends BoardCard> = {
  readonly source: BoardSource<C>
  readonly state: Store<State<C>>
  readonly columnsNow: () => readonly Column<C>[]
  readonly change: (next: (columns: readonly Column<C>[]) => Column<C>[]) => void
  /** What the user moves: while a card is dragged, no other one moves; one dropped stays until the server has answered. */
  readonly pending: { isDragging: boolean; readonly moving: Set<number> }
}

/** Creates the state of a visible board. */
function createBoard<C extends BoardCard>(source: BoardSource<C>, before: readonly Column<C>[] | null) {
  const state = createStore<State<C>>({ columns: before, error: null })
  const columnsNow = () => state.get().columns ?? []
  const change: Board<C>['change'] = (next) => state.set({ columns: next(columnsNow()), error: null })
  const pending: Board<C>['pending'] = { isDragging: false, moving: new Set() }
  const board = { source, state, columnsNow, change, pending }
  const { read, readAll, refresh, note } = createReading(board)
  const cards = () => columnsNow().flatMap((column) => column.cards)

  /** Reads more of a column. */
  async function more(columnId: number | null): Promise<void> {
    const column = columnsNow().find(({ id }) => id === columnId)
    if (!column?.nextCursor) return
    const page = await source.page(columnId, column.nextCursor)
    change((columns) => addPage(columns, columnId, page))
  }

  const start = () => {
    void read()
    const offs = [...source.follow({ note, readAll, cards }), onReconnect(readAll), onResync(readAll)]
    return () => {
      for (const off of offs) off()
    }
  }
  const setDragging = (next: boolean) => {
    pending.isDragging = next
    if (!next) refresh()
  }
  return { state, read, more, ...createMoves(board, { note, more }), start, setDragging }
}

/** Reads a board whole, or those of its cards that may have changed. */
function createReading<C extends BoardCard>({ source, state, change, pending }: Board<C>) {
  const stale = new Set<number>()
  async function read(): Promise<void> {
    try {
      const columns = await source.read()
      if (pending.isDragging || pending.moving.size > 0) readAll()
      else state.set({ columns, error: null })
    } catch (error) {
      state.set({ columns: null, error: toError(error) })
    }
  }
  const readAll = createSoon(() => void read(), 200, 1000)

  const refresh = createSoon(() => void refreshNow(), 200, 1000)
  async function refreshNow(): Promise<void> {
    if (pending.isDragging) return
    const ids = [...stale].filter((id) => !pending.moving.has(id))
    for (const id of ids) stale.delete(id)
    if (ids.length === 0) return
    if (ids.length > mostCards) return readAll()
    try {
      const found = await source.cards(ids)
      const settled = (id: number) => !pending.isDragging && !pending.moving.has(id)
      const cards = found.cards.filter(({ id }) => settled(id))
      if (!pending.isDragging) change((columns) => refreshCards(columns, ids.filter(settled), { ...found, cards }))
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
  return { read, readAll, refresh, note }
}

type Readers = {
  note: (ids: readonly number[]) => void
  more: (columnId: number | null) => Promise<void>
}

/** Moves cards at once, and as the server answers. */
function createMoves<C extends BoardCard>({ source, columnsNow, change, pending }: Board<C>, { note, more }: Readers) {
  /** Moves a card before another of a column (null: behind all), or off the board; a refused move is reverted with a toast. */
  async function move(card: C, columnId: number | null, before: number | null): Promise<boolean> {
    const column = columnsNow().find(({ id }) => id === columnId)
    const others = column?.cards.filter(({ id }) => id !== card.id) ?? []
    const index = before === null ? others.length : others.findIndex(({ id }) => id === before)
    pending.moving.add(card.id)
    change((columns) => moveCard(columns, card, columnId, index < 0 ? others.length : index))
    try {
      await source.move(card, columnId, before)
      return true
    } catch (error) {
      notify({ tone: 'warn', title: t('{name} voltou para onde estava', { name: card.name }), text: sentence(error) })
      return false
    } finally {
      pending.moving.delete(card.id)
      note([card.id, ...(before === null ? [] : [before])])
    }
  }

  /**
   * Drops a card at an index of a column's shown cards; at their end it comes before the next one that is not loaded.
   * Returns whether it was moved.
   */
  async function drop(id: number, columnId: number | null, index: number): Promise<boolean> {
    const card = cardOf(columnsNow(), id)
    if (!card) return false
    const shown = () =>
      columnsNow()
        .find((one) => one.id === columnId)
        ?.cards.filter((one) => one.id !== id) ?? []
    if (columnId !== null && index >= shown().length) {
      pending.moving.add(id)
      change((columns) => moveCard(columns, card, columnId, index))
      await more(columnId).catch(() => {})
    }
    return move(card, columnId, shown()[index]?.id ?? null)
  }

  /** Removes a card from the board, with an undo. */
  async function remove(card: C): Promise<void> {
    const next = nextOf(columnsNow(), card)
    if (!(await move(card, null, null))) return
    const back = () => {
      const now = cardOf(columnsNow(), card.id) ?? { ...card, columnId: null, order: null }
      const isThere = next !== null && cardOf(columnsNow(), next)?.columnId === card.columnId
      void move(now, card.columnId, isThere ? next : null)
    }
    notify({
      tone: 'pos',
      title: t('{name} saiu do painel', { name: card.name }),
      action: { label: t('Desfazer'), run: back },
    })
  }
  return { move, drop, remove }
}
