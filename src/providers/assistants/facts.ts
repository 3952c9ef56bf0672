import type { Subject } from './port.ts'

/** Returns the variables that a flow engine gets at the start, by the names that its flows use (product facts 7.1). */
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
