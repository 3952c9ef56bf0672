import { callText } from '#domain/messages/calls.ts'
import { MESSAGE_TYPE_LABELS } from '#domain/messages/types.ts'
import type { Ctx } from '#server/context.ts'
import type { LedgerTicket, NewMessage } from '../ticket/queries.ts'
import { findUnheard } from './beginning-queries.ts'

/** Whether a message counts as the customer's word; calls and undecrypted messages do not. */
export const isHeard = ({ mediaType }: Pick<NewMessage, 'mediaType'>): boolean =>
  mediaType !== 'call' && mediaType !== 'undecrypted'

/**
 * Returns those of live tickets whose conversations begin with these messages, because their customers had only called or
 * written unreadable messages before.
 */
export async function beginningLate(
  ctx: Ctx,
  tickets: readonly LedgerTicket[],
  messages: readonly Pick<NewMessage, 'id' | 'ticketId' | 'fromMe'>[],
): Promise<readonly number[]> {
  const spoken = new Set(messages.flatMap(({ ticketId, fromMe }) => (fromMe ? [] : [ticketId])))
  const asked = tickets.filter((ticket) => spoken.has(ticket.id) && isUntouched(ticket)).map(({ id }) => id)
  if (asked.length === 0) return []
  return findUnheard(
    ctx.db,
    asked,
    messages.map(({ id }) => id),
  )
}

const isUntouched = ({ status, is_group, answered, chat_flow_id }: LedgerTicket): boolean =>
  status === 'pending' && !is_group && !answered && chat_flow_id === null

/** Whether a ticket may lack a word of the customer, judged by its row alone, so that most need no query. */
export const mayBeUnheard = ({ last_message: text, last_message_from_me: fromMe }: LedgerTicket): boolean =>
  fromMe || UNHEARD.has(text)

const UNHEARD: ReadonlySet<string> = new Set([
  MESSAGE_TYPE_LABELS.undecrypted,
  ...[true, false].map((isVideo) => callText({ isVideo, isRefused: false })),
])
