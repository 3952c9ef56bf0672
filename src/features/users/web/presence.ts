import type { Presence } from '#web/ui/identity/Avatar.tsx'
import type { UserRow } from '../contract.ts'

/** Where a person is now. */
export const presenceOf = ({ isOnline, awayUntil }: Pick<UserRow, 'isOnline' | 'awayUntil'>): Presence => {
  if (!isOnline) return 'offline'
  return awayUntil && Date.parse(awayUntil) > Date.now() ? 'away' : 'online'
}
