import type { TicketRow } from '../tickets-contract.ts'

/** “Resolver”, with the way back in the toast; `isUnrated`: the customer is not asked for a rating. Whether it was done. */
export const resolve = async (row: Pick<TicketRow, 'id' | 'name'>, isUnrated = false): Promise<boolean> =>
  (await import('./bulk/resolve.ts')).resolve(row, isUnrated)
