// Assistant components of conversations, loaded together on first use.

export { CallCustomer } from './CallCustomer.tsx'
export { Copilot } from './Copilot.tsx'
export { TicketAssistants } from './TicketAssistants.tsx'
export { Turns } from './Turns.tsx'
