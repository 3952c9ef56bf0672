import type { Peer } from '#domain/private-chat/conversation.ts'
import { viewer } from '#web/session/session.ts'
import { pathOf } from './paths.ts'

const keyOf = (peer: Peer): string => `guiche.private-draft.${viewer().userId}.${pathOf(peer)}`

/** What was begun to be written in a conversation, kept in this browser. */
export const draftOf = (peer: Peer): string => localStorage.getItem(keyOf(peer)) ?? ''

/** Keeps what was begun to be written; nothing where it is empty. */
export function saveDraft(peer: Peer, text: string): void {
  if (text) localStorage.setItem(keyOf(peer), text)
  else localStorage.removeItem(keyOf(peer))
}
