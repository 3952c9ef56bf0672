import { type PointerEvent, type ReactNode, useRef } from 'react'
import { itemAt, present } from '#domain/present.ts'
import css from './builder.module.css'

/**
 * Sortable items of a step, by dragging their handles (`ItemCard`) or by keys in their menus; calls `onMove` as soon as an
 * item is dragged over another.
 */
export function SortableItems(props: {
  label: string
  onMove: (from: number, to: number) => void
  children: ReactNode
}) {
  const { label, onMove, children } = props
  const list = useRef<HTMLOListElement>(null)
  const dragged = useRef<number | null>(null)
  const indexAt = (y: number) =>
    [...present(list.current).children].findIndex((item) => y < item.getBoundingClientRect().bottom)
  const begin = (event: PointerEvent) => {
    if (event.button !== 0 || !(event.target as Element).closest('[data-grip]')) return
    event.preventDefault()
    present(list.current).setPointerCapture(event.pointerId)
    dragged.current = indexAt(event.clientY)
  }
  const drag = ({ clientY }: PointerEvent) => {
    const from = dragged.current
    const to = from === null ? -1 : indexAt(clientY)
    if (from === null || to < 0 || to === from) return
    // Over a taller item it moves only if the pointer would still be over it after the swap.
    const { top, height } = itemAt(present(list.current).children, to).getBoundingClientRect()
    const own = itemAt(present(list.current).children, from).getBoundingClientRect().height
    if (to > from ? clientY < top + height - own : clientY > top + own) return
    dragged.current = to
    onMove(from, to)
  }
  const end = () => {
    dragged.current = null
  }
  return (
    <ol
      ref={list}
      className={css.items}
      aria-label={label}
      onPointerDown={begin}
      onPointerMove={drag}
      onPointerUp={end}
      onPointerCancel={end}
    >
      {children}
    </ol>
  )
}
