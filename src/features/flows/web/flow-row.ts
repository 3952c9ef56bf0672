import type { ticketCommands } from '#features/tickets/commands-addresses.ts'
import type { Answer } from '#kit/contract.ts'
import { t } from '#web/t.ts'

/** A chat flow of the list. */
export type FlowRow = Answer<typeof ticketCommands.chatFlows>['chatFlow'][number]

/** Where conversations come to a chat flow, in words: connections by their names, and whatever else leads to it. */
export const usesOf = ({ isDefault, connections = [], keyword, startsOn, flows = [] }: FlowRow): string[] => [
  ...(isDefault ? [t('padrão da empresa')] : []),
  ...connections.map(({ name }) => name),
  ...(keyword ? [t('palavra “{keyword}”', { keyword })] : []),
  ...(startsOn === 'entry' ? [t('conversas sem outro chatbot')] : []),
  ...(startsOn === 'closing' ? [t('conversas resolvidas')] : []),
  ...flows.map(({ name }) => t('chatbot “{name}”', { name })),
]
