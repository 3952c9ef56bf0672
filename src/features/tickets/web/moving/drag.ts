import type { TicketActs } from '../actions/registry.ts'
import { ticketAt } from '../lists/list-filter.ts'

const hovers = matchMedia('(hover: hover)').matches

/** A row begins to be dragged: what can take it shows itself. Where fingers point, the menu has “Mover para”. */
export const drag: TicketActs['drag'] = ({ target, dataTransfer, currentTarget: list }, doors, onPointed) => {
  const id = hovers && target instanceof HTMLAnchorElement ? ticketAt(target.pathname) : null
  const row = (target as HTMLElement).parentElement
  if (id === null || !row) return
  dataTransfer.setDragImage(row, 24, 24)
  // No pointer moves in a drag, so that nobody else says where it is when that ends.
  target.addEventListener(
    'dragend',
    (event) => {
      const { clientX, clientY } = event as MouseEvent
      onPointed(list.contains(document.elementFromPoint(clientX, clientY)))
    },
    { once: true },
  )
  // What changes the page while a drag begins ends it.
  setTimeout(() => doors.ask('drag', id))
}
