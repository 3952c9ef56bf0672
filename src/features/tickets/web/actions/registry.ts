import type { DragEvent } from 'react'
import type { TicketRow } from '#features/ledger/ticket-rows.ts'
import { createStore } from '#web/store.ts'
import type { Command } from '#web/ui/layout/command.ts'
import type { Doors } from './doors.ts'

/** The commands that are asked for less often: of one ticket, and of the list. */
export type TicketActs = {
  readonly ofTicket: (row: TicketRow, doors: Doors) => readonly Command[]
  readonly ofList: readonly Command[]
  /** A row of the list is being dragged; `onPointed` is told whether the pointer is over the list when that ends. */
  readonly drag: (event: DragEvent, doors: Doors, onPointed: (isPointed: boolean) => void) => void
}

/** They come with the first use of the page; before that there are none. */
export const ticketActs = createStore<TicketActs>({ ofTicket: () => [], ofList: [], drag: () => {} })
