import type { Presence } from './Avatar.tsx'

/** Returns a person's presence; a break counts only while they are online. */
export const presenceOf = (who: { isOnline: boolean; awayUntil?: string | null | undefined }): Presence => {
  if (!who.isOnline) return 'offline'
  return who.awayUntil && Date.parse(who.awayUntil) > Date.now() ? 'away' : 'online'
}
