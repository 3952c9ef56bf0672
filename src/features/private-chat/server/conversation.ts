import { present } from '#domain/present.ts'
import { conversationOf, type Peer } from '#domain/private-chat/conversation.ts'
import { fail, required } from '#kit/errors.ts'
import type { Queryable } from '#server/db/db.ts'
import { listReaders, type PrivateRow } from './queries.ts'
import { findColleague, findGroup } from './queries-lists.ts'

/** User's conversation with a colleague or a team. */
export type Conversation = Peer & {
  readonly key: string
  readonly name: string
  readonly isOnline: boolean
  /** False if the colleague has left the company, or the user has left the team. */
  readonly canWrite: boolean
}

/** Returns a conversation of the user; throws 404 without such a colleague or team, 403 for a team they were never in. */
export async function requireConversation(db: Queryable, userId: number, peer: Peer): Promise<Conversation> {
  const key = conversationOf(userId, peer)
  if (peer.isGroup) {
    const group = required(await findGroup(db, userId, peer.id), 'ERR_NO_TEAM_FOUND')
    if (group.isMember === null) return fail('ERR_NO_PERMISSION')
    return { ...peer, key, name: group.name, isOnline: group.isOnline, canWrite: group.isMember && group.isActive }
  }
  const colleague = required(await findColleague(db, userId, peer.id), 'ERR_NO_USER_FOUND')
  if (peer.id === userId || !(colleague.isActive || colleague.isKnown)) fail('ERR_NO_USER_FOUND')
  return { ...peer, key, name: colleague.name, isOnline: colleague.isOnline, canWrite: colleague.isActive }
}

/** Throws if the user may only read a conversation. */
export function requireWritable({ canWrite, isGroup }: Conversation): void {
  if (!canWrite) fail(isGroup ? 'ERR_PRIVATE_GROUP_LEFT' : 'ERR_NO_USER_FOUND')
}

/** Returns the receivers of a message's events: both users, or the team's members at the time of writing. */
export async function audienceOf(
  db: Queryable,
  { senderId, receiverId, groupId, sentAt }: Pick<PrivateRow, 'senderId' | 'receiverId' | 'groupId' | 'sentAt'>,
) {
  const others = groupId === null ? [present(receiverId)] : await listReaders(db, groupId, sentAt)
  return { kind: 'users', ids: [...new Set([senderId, ...others])], isPersonal: true } as const
}
