import { type MessageMentions, withNames } from '#domain/messages/group-mentions.ts'
import type { Queryable } from '#server/db/db.ts'
import { findMembers, type MemberRow } from './queries.ts'

/** Returns the map key of a member of a group. */
export const memberKey = (contactId: number, identity: string): string => `${contactId}|${identity}`

/** Returns a group text with names in place of identities, and the mentioned members. */
export function named(
  members: ReadonlyMap<string, MemberRow>,
  contactId: number,
  text: string,
  identities: readonly string[],
): { body: string; mentions: MessageMentions | null } {
  const known = identities.flatMap((identity) => members.get(memberKey(contactId, identity)) ?? [])
  const people = known.map(({ identity, name }) => ({ identity, name }))
  return { body: withNames(text, known), mentions: people.length > 0 ? { people, everyone: null } : null }
}

/** Returns texts of groups with names in place of the mentioned addresses; one look-up for all. */
export async function namesIn(
  db: Queryable,
  texts: readonly { readonly contactId: number; readonly mentions: readonly string[] }[],
) {
  const identities = texts.flatMap(({ mentions }) => mentions)
  const of = texts.map(({ contactId }) => contactId)
  const rows = identities.length > 0 ? await findMembers(db, { identities, of, whole: [] }) : []
  const members = new Map(rows.map((row) => [memberKey(row.contactId, row.identity), row]))
  return (contactId: number, text: string, mentions: readonly string[]) => named(members, contactId, text, mentions)
}
