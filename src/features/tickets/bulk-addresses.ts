import { addresses } from '#kit/addresses.ts'

/** Routes of `ticketsBulk`. */
export const ticketsBulk = addresses('ticketsBulk', {
  start: { method: 'POST', path: '/tickets/bulk', can: 'tickets:write' },
})
