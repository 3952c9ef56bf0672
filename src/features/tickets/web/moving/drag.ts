import type { TicketActs } from '../actions/registry.ts'
import { ticketAt } from '../lists/list-filter.ts'

const hovers = matchMedia('(hover: hover)').matches

/** Starts dragging a row and shows the drop targets. Touch devices use “Mover para” in the menu instead. */
export const drag: TicketActs['drag'] = ({ target, dataTransfer, currentTarget: list }, doors, onPointed) => {
  const id = hovers && target instanceof HTMLAnchorElement ? ticketAt(target.pathname) : null
  const row = (target as HTMLElement).parentElement
  if (id === null || !row) return
  dataTransfer.setDragImage(row, 24, 24)
  // No pointer events during a drag: report the pointer's position at its end.
  target.addEventListener(
    'dragend',
    (event) => {
      const { clientX, clientY } = event as MouseEvent
      onPointed(list.contains(document.elementFromPoint(clientX, clientY)))
    },
    { once: true },
  )
  // A DOM change while a drag starts would cancel it.
  setTimeout(() => doors.ask('drag', id))
}
