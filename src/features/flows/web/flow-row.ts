import type { ticketCommands } from '#features/conversations/commands-addresses.ts'
import type { Answer } from '#kit/contract.ts'

/** A chat flow of the list. */
export type FlowRow = Answer<typeof ticketCommands.chatFlows>['chatFlow'][number]
