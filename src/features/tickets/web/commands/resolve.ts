import type { TicketRow } from '#features/ledger/ticket-rows.ts'
import type { Doors, Resolving } from '../actions/doors.ts'

/** “Resolver”, with the way back in the toast; where the company wants to know more, that is asked first. */
export const resolve = (row: Pick<TicketRow, 'id' | 'name'>, doors: Doors, how: Resolving = {}): void =>
  void import('../closing/resolve.ts').then((closing) => closing.resolve(row, doors, how))
