import { type MessageMentions, mentionsIn } from '#domain/messages/group-mentions.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import type { Queryable } from '#server/db/db.ts'
import type { LedgerTicket } from '../ingest/ingest-queries.ts'
import { membersOf } from './queries.ts'

/** As many members as any channel lets into a group. */
export const MOST_MEMBERS = 2000

/** Whom of the ticket's group a text mentions by name; null where nobody is, or nobody can be. */
export async function mentionedIn(
  db: Queryable,
  { is_group, channel, contact_id }: Pick<LedgerTicket, 'is_group' | 'channel' | 'contact_id'>,
  text: string,
): Promise<MessageMentions | null> {
  if (!is_group || !text.includes('@') || !capabilitiesOf(channel).mentions) return null
  return mentionsIn(text, await membersOf(db, contact_id, MOST_MEMBERS))
}
