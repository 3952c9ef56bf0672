import { type KeyboardEvent, type PointerEvent, useEffect, useRef } from 'react'
import { t } from '../t.ts'
import { GripIcon } from '../ui/icons.ts'
import css from './resource.module.css'

const all = () => [...document.querySelectorAll<HTMLElement>('[data-order-handle]')]

/** Returns the index of the handle whose row is at a height of the window; -1 below the last one. */
const over = (y: number) =>
  all().findIndex((one) => y < (one.closest(':is(tr,li)') ?? one).getBoundingClientRect().bottom)

/**
 * Moves a row: dragged onto another row's handle, or with the arrow keys while it has the focus. `onMove` receives the
 * new index among the rows shown, 0 for the first.
 */
export function OrderHandle({
  name,
  position,
  onMove,
}: {
  name: string
  position: number
  onMove: (to: number) => void
}) {
  const handle = useRef<HTMLButtonElement>(null)
  const isMoved = useRef(false)
  useEffect(() => {
    // A row that is moved in the document loses the focus in some browsers.
    if (isMoved.current && position >= 0) handle.current?.focus()
    isMoved.current = false
  }, [position])
  const mark = (at: number) => {
    for (const [index, one] of all().entries()) one.toggleAttribute('data-over', index === at && at !== position)
  }
  const move = (to: number) => {
    isMoved.current = true
    onMove(to)
  }
  const press = (event: KeyboardEvent) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (!step) return
    event.preventDefault()
    move(position + step)
  }
  const end = (event: PointerEvent<HTMLButtonElement>, isDone: boolean) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
    event.currentTarget.releasePointerCapture(event.pointerId)
    event.currentTarget.removeAttribute('data-moving')
    mark(-1)
    const found = over(event.clientY)
    if (isDone) move(found < 0 ? all().length - 1 : found)
  }
  return (
    <button
      ref={handle}
      type="button"
      className={css.handle}
      data-order-handle
      aria-label={t('Mover {name}, posição {at}: setas para cima e para baixo', { name, at: position + 1 })}
      onKeyDown={press}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        event.currentTarget.setAttribute('data-moving', '')
      }}
      onPointerMove={(event) => event.currentTarget.hasPointerCapture(event.pointerId) && mark(over(event.clientY))}
      onPointerUp={(event) => end(event, true)}
      onPointerCancel={(event) => end(event, false)}
    >
      <GripIcon size={17} />
      <span className="g-num">{position + 1}</span>
    </button>
  )
}
