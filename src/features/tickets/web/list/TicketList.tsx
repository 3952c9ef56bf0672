import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { itemAt } from '#domain/present.ts'
import { prefetchThread } from '#features/messages/web/cache/thread-cache.ts'
import { useTicketRow } from '#features/messages/web/ticket/store.ts'
import { prefetchTicket } from '#features/messages/web/ticket/ticket.ts'
import { sentence } from '#web/api.ts'
import { lazyPart } from '#web/lazy-part.ts'
import { plural, t } from '#web/t.ts'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { LoadError } from '#web/ui/feedback/states.tsx'
import { ArrowUpIcon } from '#web/ui/icons.ts'
import type { Doors } from '../actions/doors.ts'
import { ticketActs } from '../actions/registry.ts'
import { choose, clearChosen } from '../choices/selection.ts'
import css from '../lists/list.module.css'
import { calm, type ListData } from '../lists/list-data.ts'
import { type ListFilter, standsIn, ticketAt } from '../lists/list-filter.ts'
import { loadNext, useList } from '../lists/lists.ts'
import { TicketRow } from './TicketRow.tsx'

const ListEmpty = lazyPart(async () => (await import('./ListEmpty.tsx')).ListEmpty)

const height = 84
const beyond = 5
const scrolledFrom = 40
const restMs = 150
const pointedRow = matchMedia('(hover: hover)').matches ? ':hover, [aria-expanded=true]' : '[aria-expanded=true]'
type Size = { width: number; height: number }
const none: ListData = { ids: [], cursor: null }

/** Ticket list of a filter: virtual and live; its order is frozen while the pointer is over it or it is scrolled. */
export function TicketList(props: {
  filter: ListFilter
  selected: number | null
  doors: Doors
  onFilter: (change: Partial<ListFilter>) => void
  onStart: (() => void) | undefined
  /** Reports the visible order, for the keys J and K. */
  onOrder: (ids: readonly number[]) => void
}) {
  const { filter, selected, doors, onFilter, onStart, onOrder } = props
  const { data, error, refetch } = useList(filter)
  const list = data ?? none
  const scroller = useRef<HTMLDivElement>(null)
  const [pointed, setPointed] = useState(false)
  // Freezes the order under the pointer, and while a row's menu is open.
  const notePointer = () =>
    requestAnimationFrame(() => setPointed(Boolean(scroller.current?.querySelector(pointedRow))))
  const [scrolled, setScrolled] = useState(false)
  const rest = useRef<ReturnType<typeof setTimeout>>(undefined)
  const noteScroll = (box: HTMLElement) => {
    setScrolled(box.scrollTop > scrolledFrom)
    // Own timer: the virtual list's may miss the end of scrolling, and rows would stay unclickable.
    box.dataset.scrolling = ''
    clearTimeout(rest.current)
    rest.current = setTimeout(() => delete box.dataset.scrolling, restMs)
  }
  const open = useTicketRow(selected ?? 0)
  // The open ticket stays in place if only chips or filters exclude it; a ticket that left the tab goes.
  const openId = open && standsIn(open, filter) ? selected : null
  const { ids, waiting } = useCalm(filter, list, pointed || scrolled, openId)
  const virtual = useVirtualizer({
    count: ids.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    // Renders before the browser measures; the header takes about the height of the overscan rows.
    initialRect: { width: 0, height: Math.max(0, innerHeight - beyond * height) },
    observeElementRect: observeSize,
    getItemKey: (index) => itemAt(ids, index),
    overscan: beyond,
  })
  const items = virtual.getVirtualItems()
  const last = items.at(-1)?.index ?? 0
  const [stuck, setStuck] = useState(false)
  useEffect(() => {
    if (!stuck && list.cursor && last >= ids.length - 8) loadNext(filter).catch(() => setStuck(true))
  }, [last, ids.length, list.cursor, filter, stuck])
  useEffect(() => onOrder(ids), [ids, onOrder])
  // Scrolls only when another ticket opens: otherwise the reader would lose their place.
  const latest = useRef({ ids, virtual })
  latest.current = { ids, virtual }
  useEffect(() => {
    const at = selected === null ? -1 : latest.current.ids.indexOf(selected)
    if (at >= 0) latest.current.virtual.scrollToIndex(at, { align: 'auto' })
  }, [selected])

  useEffect(() => {
    if (filter) scroller.current?.scrollTo({ top: 0 }) // another filter is another list
    return clearChosen
  }, [filter])

  // Prefetches for a pointer that rests or presses, not for one that passes by.
  const intent = useRef<ReturnType<typeof setTimeout>>(undefined)
  const near = useCallback((id: number, wait: number) => {
    clearTimeout(intent.current)
    const ask = () => {
      void prefetchThread(id)
      void prefetchTicket(id)
    }
    // A press prefetches at once: a timer would run after the click and its rendering.
    if (wait === 0) ask()
    else intent.current = setTimeout(ask, wait)
  }, [])
  const pick = useCallback((id: number, isRange: boolean) => {
    choose(id, isRange ? latest.current.ids : undefined)
  }, [])
  const present = useMemo(() => new Set(list.ids), [list.ids])

  const keys = (event: KeyboardEvent<HTMLDivElement>) => {
    const step = { ArrowDown: 1, ArrowUp: -1, x: 0, m: 0 }[event.key]
    const links = [...event.currentTarget.querySelectorAll('a')]
    const at = links.indexOf(document.activeElement as HTMLAnchorElement)
    const next = links[at + (step ?? 0)]
    if (step === undefined || at < 0 || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    next?.focus()
    // With Shift the arrows also select.
    const id = next && (step === 0 || event.shiftKey) ? ticketAt(next.pathname) : null
    if (id === null) return
    if (event.key === 'm') doors.ask('move', id)
    else choose(id)
  }
  if (error && !data) return <LoadError text={sentence(error)} retry={() => void refetch()} />
  // The empty state of a search is not a list item.
  const empty = data && ids.length === 0 && (
    <Suspense>
      <ListEmpty filter={filter} onFilter={onFilter} onStart={onStart} onOpen={doors.open} />
    </Suspense>
  )
  return (
    <div className={css.body}>
      {filter.search && empty}
      {waiting > 0 && (
        <button
          type="button"
          className={css.fresh}
          onClick={() => {
            setPointed(false)
            setScrolled(false)
            scroller.current?.scrollTo({ top: 0 })
          }}
        >
          <ArrowUpIcon size={15} />
          {plural(waiting, t('nova'), t('novas'))}
        </button>
      )}
      <div
        ref={scroller}
        className={css.scroller}
        role="list"
        aria-label={t('Atendimentos')}
        onKeyDown={keys}
        onScroll={(event) => noteScroll(event.currentTarget)}
        onPointerEnter={(event) => event.pointerType === 'mouse' && setPointed(true)}
        onPointerLeave={notePointer}
        onFocus={notePointer}
        onClick={notePointer}
        onDragStart={(event) => ticketActs.get().drag(event, doors, setPointed)}
      >
        {!data && <SkeletonRows kind="ticket" />}
        {!filter.search && empty}
        <div className={css.rows} style={{ height: virtual.getTotalSize() }}>
          {items.map((item) => {
            const id = itemAt(ids, item.index)
            return (
              <div key={item.key} role="listitem" className={css.slot} style={{ top: item.start }}>
                <TicketRow
                  id={id}
                  selected={id === selected}
                  isGone={!present.has(id) && id !== openId}
                  doors={doors}
                  onOpen={doors.open}
                  onNear={near}
                  onChoose={pick}
                />
              </div>
            )
          })}
        </div>
        {stuck && (
          <button type="button" className={css.retry} onClick={() => setStuck(false)}>
            {t('Não foi possível carregar mais. Tentar de novo')}
          </button>
        )}
      </div>
    </div>
  )
}

function observeSize<E extends Element>(of: { scrollElement: E | null }, onSize: (size: Size) => void) {
  const element = of.scrollElement
  if (!element) return
  const observer = new ResizeObserver(([entry]) => {
    const size = entry?.borderBoxSize[0]
    if (size) onSize({ width: Math.round(size.inlineSize), height: Math.round(size.blockSize) })
  })
  observer.observe(element)
  return () => observer.disconnect()
}

/** Returns the visible order; another filter resets it. */
function useCalm(filter: ListFilter, list: ListData, isHeld: boolean, openId: number | null) {
  const before = useRef<{ filter: ListFilter; ids: readonly number[] }>({ filter, ids: [] })
  // Not on each scroll step: this costs time in proportion to the list.
  return useMemo(() => {
    const known = before.current.filter === filter ? before.current.ids : []
    const next = calm(known, list, isHeld && known.length > 0, openId)
    before.current = { filter, ids: next.ids }
    return next
  }, [filter, list, isHeld, openId])
}
