import type { ticketCommands } from '#features/tickets/commands-addresses.ts'
import type { Answer } from '#kit/contract.ts'
import { t } from '#web/t.ts'

/** Row of the flow list. */
export type FlowRow = Answer<typeof ticketCommands.chatFlows>['chatFlow'][number]

/** Describes what starts a chat flow: connections by name, and other triggers. */
export const usesOf = ({ isDefault, connections = [], keyword, startsOn, flows = [] }: FlowRow): string[] => [
  ...(isDefault ? [t('padrão da empresa')] : []),
  ...connections.map(({ name }) => name),
  ...(keyword ? [t('palavra “{keyword}”', { keyword })] : []),
  ...(startsOn === 'entry' ? [t('conversas sem outro chatbot')] : []),
  ...(startsOn === 'closing' ? [t('conversas resolvidas')] : []),
  ...flows.map(({ name }) => t('chatbot “{name}”', { name })),
]
