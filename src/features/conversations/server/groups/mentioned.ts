import { type Mentioned, type MessageMentions, mentionsIn, withNames } from '#domain/messages/group-mentions.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import type { Queryable } from '#server/db/db.ts'
import type { LedgerTicket } from '../ingest/ingest-queries.ts'
import { findMembers, groupOf, type MemberRow, membersOf } from './queries.ts'

/** As many members as any channel lets into a group. */
export const MOST_MEMBERS = 2000

/** Whom of the ticket's group, and of `known`, a text mentions by name; null where nobody is, or nobody can be. */
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

/** The same of a message of the team whose text becomes this one; who is mentioned without a word stays so. */
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

/** A member of a group among those of many. */
export const memberKey = (contactId: number, identity: string): string => `${contactId}|${identity}`

/** A text of a group that mentions these identities, with the names of its members in the place of their addresses. */
export function withMembers(
  members: ReadonlyMap<string, MemberRow>,
  contactId: number,
  text: string,
  identities: readonly string[],
): { body: string; mentions: MessageMentions | null } {
  const known = identities.flatMap((identity) => members.get(memberKey(contactId, identity)) ?? [])
  const people = known.map(({ identity, name }) => ({ identity, name }))
  return { body: withNames(text, known), mentions: people.length > 0 ? { people, everyone: null } : null }
}

/** The same for texts that mention these identities in their groups, whose members are looked up at once. */
export async function namesIn(
  db: Queryable,
  texts: readonly { readonly contactId: number; readonly mentions: readonly string[] }[],
) {
  const identities = texts.flatMap(({ mentions }) => mentions)
  const of = texts.map(({ contactId }) => contactId)
  const rows = identities.length > 0 ? await findMembers(db, { identities, of, whole: [] }) : []
  const members = new Map(rows.map((row) => [memberKey(row.contactId, row.identity), row]))
  return (contactId: number, text: string, mentions: readonly string[]) =>
    withMembers(members, contactId, text, mentions)
}
