import type { Presence } from './Avatar.tsx'

/** Where a person is now: who is not online takes no break. */
export const presenceOf = (who: { isOnline: boolean; awayUntil?: string | null | undefined }): Presence => {
  if (!who.isOnline) return 'offline'
  return who.awayUntil && Date.parse(who.awayUntil) > Date.now() ? 'away' : 'online'
}
