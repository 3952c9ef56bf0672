import { addresses } from '#kit/addresses.ts'

/** The addresses of `ticketsBulk`. */
export const ticketsBulk = addresses('ticketsBulk', {
  start: { method: 'POST', path: '/tickets/bulk', can: 'tickets:write' },
})
