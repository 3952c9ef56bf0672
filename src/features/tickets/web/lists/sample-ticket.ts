import { recordOf } from '#domain/keys.ts'
import { SWITCH_FIELDS } from '#domain/tickets/assistants.ts'
import type { TicketRow } from '#features/ledger/ticket-rows.ts'

const switches = recordOf(SWITCH_FIELDS, () => 'disabled' as const)

/** Creates a list row for tests: open, without owner and queue. */
export function ticketRow(parts: Partial<TicketRow> = {}): TicketRow {
  return {
    id: 1,
    status: 'open',
    userId: null,
    queueId: null,
    unreadMessages: 0,
    answered: false,
    lastMessage: '',
    lastMessageAt: 0,
    lastMessageFromMe: false,
    lastMessageStatus: 'received',
    lastMessageSender: null,
    sla: null,
    waitingSince: null,
    updatedAt: new Date(0).toISOString(),
    whatsappId: 1,
    connectionName: 'Loja',
    contactId: 1,
    contact: { id: 1, name: 'Marlene', number: null, profilePicUrl: null, wallets: [] },
    isGroup: false,
    kanban: null,
    tags: [],
    chatFlowId: null,
    isAssisted: false,
    username: null,
    queue: null,
    name: 'Marlene',
    profilePicUrl: null,
    channel: 'whatsapp',
    lastMessageReceived: null,
    windowUntil: null,
    createdAt: new Date(0).toISOString(),
    closedAt: null,
    draft: null,
    snoozedUntil: null,
    isPaused: false,
    pausedAt: null,
    ...switches,
    ...parts,
  }
}
