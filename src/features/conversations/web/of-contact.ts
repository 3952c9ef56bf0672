export { NewConversation } from './NewConversation.tsx'
export { OtherTickets } from './panel/OtherTickets.tsx'
export { Peek } from './thread/Peek.tsx'
