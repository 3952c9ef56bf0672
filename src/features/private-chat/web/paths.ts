import type { Peer } from '#domain/private-chat/conversation.ts'
import { viewer } from '#web/session/session.ts'
import type { PrivateMessage } from '../contract.ts'

/** Where unsent texts are kept in this browser, those of each person under their id. */
export const OUTBOX_KEY = 'guiche.private-outbox'

/** The address of a conversation, by which it is known in the browser as well. */
export const pathOf = ({ id, isGroup }: Peer): string => `/chat-privado/${isGroup ? 'equipe/' : ''}${id}`

/** The conversation to which a message belongs, from the person's side. */
export const peerOf = ({ senderId, receiverId, groupId }: PrivateMessage): Peer =>
  groupId === null
    ? { id: senderId === viewer().userId ? receiverId! : senderId, isGroup: false }
    : { id: groupId, isGroup: true }
