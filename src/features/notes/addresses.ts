import { addresses } from '#kit/addresses.ts'

/** API routes of `ticketNotes`. */
export const ticketNotes = addresses('ticketNotes', {
  list: { method: 'GET', path: '/ticketNotes', can: 'notes:read' },
})

/** API routes of `ticketProtocols`. */
export const ticketProtocols = addresses('ticketProtocols', {
  list: { method: 'GET', path: '/ticketProtocols', can: 'protocols:read' },
  send: { method: 'POST', path: '/ticketProtocols', can: 'tickets:write', touches: ['ticketProtocols'] },
})
