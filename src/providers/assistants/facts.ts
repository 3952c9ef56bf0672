import type { Subject } from './port.ts'

/** What engines of flows are given at the beginning, by the names that their flows know (product facts 7.1). */
export const factsOf = ({ contact, ticket, connection }: Subject): Record<string, string> => ({
  nome: contact.name,
  numero: contact.number,
  email: contact.email,
  atendimento: String(ticket.id),
  status: ticket.status,
  canal: connection.type,
  grupo: 'false',
  fullTicket: JSON.stringify({ ticket, contact, connection }),
})
