// What conversations show of assistants: one file, loaded with the first of it.

export { CallCustomer } from './CallCustomer.tsx'
export { Copilot } from './Copilot.tsx'
export { TicketAssistants } from './TicketAssistants.tsx'
export { Turns } from './Turns.tsx'
