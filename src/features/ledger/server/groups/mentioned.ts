import { type Mentioned, type MessageMentions, mentionsIn } from '#domain/messages/group-mentions.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import type { Queryable } from '#server/db/db.ts'
import type { LedgerTicket } from '../ticket/queries.ts'
import { groupOf, membersOf } from './queries.ts'

/** Maximum number of group members that are read; no channel allows more. */
export const MOST_MEMBERS = 2000

/** Returns the mentions by name in a text, of the ticket's group and of `known`; null if there are none. */
export async function mentionedIn(
  db: Queryable,
  { is_group, channel, contact_id }: Pick<LedgerTicket, 'is_group' | 'channel' | 'contact_id'>,
  text: string,
  known: readonly Mentioned[] = [],
): Promise<MessageMentions | null> {
  if (!is_group || !text.includes('@') || !capabilitiesOf(channel).mentions) return null
  const members = await membersOf(db, contact_id, MOST_MEMBERS)
  const others = members.filter(({ identity }) => !known.some((one) => one.identity === identity))
  return mentionsIn(text, [...known, ...others])
}

/** Returns the mentions of a team message after its text changed; hidden mentions stay. */
export async function mentionedAfter(
  db: Queryable,
  { ticketId, mentions }: { ticketId: number; mentions: MessageMentions | null },
  text: string,
): Promise<MessageMentions | null> {
  const ticket = mentions || text.includes('@') ? await groupOf(db, ticketId) : undefined
  const found = ticket ? await mentionedIn(db, ticket, text, mentions?.people) : null
  if (mentions?.everyone !== 'hidden' || found?.everyone) return found
  return { people: found?.people ?? [], everyone: 'hidden' }
}
