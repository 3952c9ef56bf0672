export { Peek } from './conversation/Peek.tsx'
export { NewConversation } from './NewConversation.tsx'
export { OtherTickets } from './panel/OtherTickets.tsx'
