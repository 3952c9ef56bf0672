import type { TicketRow } from '../tickets-contract.ts'
import type { Doors } from './doors.ts'

/** How a ticket is resolved: `isUnrated`: its customer is not asked for a rating; `leaves`: it is not in front of the person any more then. */
export type Resolving = { readonly isUnrated?: boolean; readonly leaves?: boolean }

/** “Resolver”, with the way back in the toast; where the company wants to know more, that is asked first. */
export const resolve = (row: Pick<TicketRow, 'id' | 'name'>, doors: Doors, how: Resolving = {}): void =>
  void import('./closing/resolve.ts').then((closing) => closing.resolve(row, doors, how))
