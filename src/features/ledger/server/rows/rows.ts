import type { z } from 'zod'
import { windowOf } from '#domain/messages/window.ts'
import { present } from '#domain/present.ts'
import { ASSISTANTS, isAssisted } from '#domain/tickets/assistants.ts'
import type { TicketFacts } from '#domain/tickets/facts.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import type { Queryable } from '#server/db/db.ts'
import { fileUrl } from '#server/files/store.ts'
import type { Platform } from '#server/platform.ts'
import type { ticketDelta, ticketRow, ticketSla } from '../../ticket-rows.ts'
import { findNamedTickets, type NamedTicket, type TicketRecord } from './queries.ts'

/** Ticket row for a browser, with the facts of the visibility rules. */
export type LoadedTicket = { readonly row: z.input<typeof ticketRow>; readonly facts: TicketFacts }

type FactColumns = Pick<
  TicketRecord,
  | 'status'
  | 'is_group'
  | 'user_id'
  | 'queue_id'
  | 'connection_id'
  | 'chat_flow_id'
  | 'assistants'
  | 'kanban'
  | 'unread_messages'
  | 'tag_ids'
  | 'wallet_ids'
  | 'group_user_ids'
  | 'snoozed_until'
>

/** Returns the facts of a stored ticket that the visibility rules need. */
export const factsOf = (ticket: FactColumns): TicketFacts => ({
  status: ticket.status,
  isGroup: ticket.is_group,
  userId: ticket.user_id,
  queueId: ticket.queue_id,
  whatsappId: ticket.connection_id,
  chatFlowId: ticket.chat_flow_id,
  isAssisted: isAssisted(ticket.assistants),
  kanban: ticket.kanban,
  unread: ticket.unread_messages > 0,
  tagIds: ticket.tag_ids,
  wallets: ticket.wallet_ids,
  groupUserIds: ticket.group_user_ids,
  snoozed: ticket.snoozed_until !== null,
})

type DeltaColumns = Pick<
  TicketRecord,
  | 'id'
  | 'status'
  | 'user_id'
  | 'queue_id'
  | 'is_group'
  | 'unread_messages'
  | 'answered'
  | 'last_message'
  | 'last_message_at'
  | 'last_message_from_me'
  | 'last_message_status'
  | 'last_message_sender'
  | 'waiting_since'
  | 'sla_state'
  | 'sla_clock'
  | 'sla_since'
  | 'sla_due_at'
  | 'last_message_received_at'
  | 'conversation_received_at'
  | 'channel'
  | 'updated_at'
  | 'snoozed_until'
>

/** Returns the delta of a ticket that messages and reading change. */
export const deltaOf = (ticket: DeltaColumns): z.input<typeof ticketDelta> => ({
  id: ticket.id,
  status: ticket.status,
  userId: ticket.user_id,
  queueId: ticket.queue_id,
  isGroup: ticket.is_group,
  unreadMessages: ticket.unread_messages,
  answered: ticket.answered,
  lastMessage: ticket.last_message,
  lastMessageAt: ticket.last_message_at.getTime(),
  lastMessageFromMe: ticket.last_message_from_me,
  lastMessageStatus: ticket.last_message_status,
  lastMessageSender: ticket.last_message_sender,
  waitingSince: ticket.waiting_since?.getTime() ?? null,
  sla: slaOf(ticket),
  lastMessageReceived: ticket.last_message_received_at?.getTime() ?? null,
  windowUntil: windowUntilOf(ticket),
  updatedAt: ticket.updated_at,
  snoozedUntil: ticket.snoozed_until?.getTime() ?? null,
})

// From this ticket, and the others of its conversation.
function windowUntilOf({ channel, ...at }: DeltaColumns): number | null {
  const last = Math.max(at.last_message_received_at?.getTime() ?? 0, at.conversation_received_at?.getTime() ?? 0)
  return windowOf(last || null, capabilitiesOf(channel), 0).until
}

/** Returns the clock state that a ticket shows. */
export const slaOf = (
  ticket: Pick<TicketRecord, 'sla_state' | 'sla_clock' | 'sla_since' | 'sla_due_at'>,
): z.input<typeof ticketSla> | null =>
  ticket.sla_due_at && {
    state: ticket.sla_state!,
    clock: ticket.sla_clock!,
    since: present(ticket.sla_since).getTime(),
    dueAt: ticket.sla_due_at.getTime(),
  }

/** Converts a ticket into a list row; the platform signs the picture's link. */
export function ticketRowOf(platform: Platform, ticket: NamedTicket): LoadedTicket['row'] {
  const picture = ticket.profile_pic_file
  const profilePicUrl = picture && fileUrl(platform, ticket.tenant_id, picture, 'foto')
  return {
    ...deltaOf(ticket),
    whatsappId: ticket.connection_id,
    connectionName: ticket.connection_name,
    contactId: ticket.contact_id,
    contact: {
      id: ticket.contact_id,
      name: ticket.contact_name,
      number: ticket.contact_number,
      profilePicUrl,
      wallets: ticket.wallets.toSorted((a, b) => a.name.localeCompare(b.name, 'pt')),
    },
    isGroup: ticket.is_group,
    kanban: ticket.kanban,
    tags: ticket.tags.toSorted((a, b) => a.tag.localeCompare(b.tag, 'pt')),
    chatFlowId: ticket.chat_flow_id,
    username: ticket.user_name,
    queue: ticket.queue_name,
    name: ticket.contact_name,
    profilePicUrl,
    channel: ticket.channel,
    createdAt: ticket.created_at,
    closedAt: ticket.closed_at?.getTime() ?? null,
    draft: ticket.draft,
    isPaused: ticket.paused_at !== null,
    pausedAt: ticket.paused_at?.getTime() ?? null,
    isAssisted: isAssisted(ticket.assistants),
    ...switches(ticket.assistants),
  }
}

/** Converts a ticket into a list row, with the facts of the visibility rules. */
export const loadedTicket = (platform: Platform, ticket: NamedTicket): LoadedTicket => ({
  row: ticketRowOf(platform, ticket),
  facts: factsOf({
    ...ticket,
    tag_ids: ticket.tags.map((tag) => tag.id),
    wallet_ids: ticket.wallets.map((owner) => owner.id),
  }),
})

/** Returns list rows of tickets by id; ids that do not exist are missing. `viewerId` adds that user's drafts. */
export async function loadTicketRows(
  db: Queryable,
  ids: readonly number[],
  { platform, viewerId }: { platform: Platform; viewerId?: number },
): Promise<Map<number, LoadedTicket>> {
  if (ids.length === 0) return new Map()
  const tickets = await findNamedTickets(db, ids, viewerId)
  return new Map(tickets.map((ticket) => [ticket.id, loadedTicket(platform, ticket)]))
}

type Switches = Record<`${(typeof ASSISTANTS)[number]}Status`, 'enabled' | 'disabled'>

const SWITCHES = ASSISTANTS.map((name) => [name, `${name}Status`] as const)

function switches(on: Readonly<Record<string, boolean>>): Switches {
  const all = {} as Switches
  for (const [name, key] of SWITCHES) all[key] = on[name] ? 'enabled' : 'disabled'
  return all
}
