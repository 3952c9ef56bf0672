import type { Peer } from '#domain/private-chat/conversation.ts'
import { viewer } from '#web/session/session.ts'
import { pathOf } from './paths.ts'

const keyOf = (peer: Peer): string => `guiche.private-draft.${viewer().userId}.${pathOf(peer)}`

/** Returns a conversation's draft, stored in this browser. */
export const draftOf = (peer: Peer): string => localStorage.getItem(keyOf(peer)) ?? ''

/** Stores a draft; removes an empty one. */
export function saveDraft(peer: Peer, text: string): void {
  if (text) localStorage.setItem(keyOf(peer), text)
  else localStorage.removeItem(keyOf(peer))
}
