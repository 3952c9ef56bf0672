import type { Peer } from '#domain/private-chat/conversation.ts'
import { viewer } from '#web/session/session.ts'
import type { PrivateMessage } from '../contract.ts'

/** Storage key of unsent messages in this browser, followed by the user's id. */
export const OUTBOX_KEY = 'guiche.private-outbox'

/** Returns the path of a conversation, which is also its key in the browser. */
export const pathOf = ({ id, isGroup }: Peer): string => `/chat-privado/${isGroup ? 'equipe/' : ''}${id}`

/** Returns the peer of a message's conversation, from the user's side. */
export const peerOf = ({ senderId, receiverId, groupId }: PrivateMessage): Peer =>
  groupId === null
    ? { id: senderId === viewer().userId ? receiverId! : senderId, isGroup: false }
    : { id: groupId, isGroup: true }
