import type { DragEvent } from 'react'
import type { TicketRow } from '#features/ledger/ticket-rows.ts'
import { createStore } from '#web/store.ts'
import type { Command } from '#web/ui/layout/command.ts'
import type { Doors } from './doors.ts'

/** Less frequent commands, of one ticket and of the list. */
export type TicketActs = {
  readonly ofTicket: (row: TicketRow, doors: Doors) => readonly Command[]
  readonly ofList: readonly Command[]
  /** Handles the drag of a list row; calls `onPointed` at its end with whether the pointer is over the list. */
  readonly drag: (event: DragEvent, doors: Doors, onPointed: (isPointed: boolean) => void) => void
}

/** Store of the less frequent commands; empty until they load with the first use of the page. */
export const ticketActs = createStore<TicketActs>({ ofTicket: () => [], ofList: [], drag: () => {} })
