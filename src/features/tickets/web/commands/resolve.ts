import type { TicketRow } from '#features/ledger/ticket-rows.ts'
import type { Doors, Resolving } from '../actions/doors.ts'

/** “Resolver”, with undo in the toast; asks first where the company requires details. */
export const resolve = (row: Pick<TicketRow, 'id' | 'name'>, doors: Doors, how: Resolving = {}): void =>
  void import('../closing/resolve.ts').then((closing) => closing.resolve(row, doors, how))
