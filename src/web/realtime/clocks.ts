import { viewer } from '../session/session.ts'

const profileRefreshMs = 30_000
const hoursCheckMs = 1_800_000

/**
 * Starts the session's timers (specification §4): every 30 s the profile is reloaded, unless it is `user`; every 30 min the
 * opening hours are checked. Both only while there is a user id. Returns a function that stops them.
 */
export function startClocks({ readProfile, checkHours }: { readProfile: () => void; checkHours: () => void }) {
  const profile = setInterval(() => {
    const who = viewer()
    if (who.userId > 0 && who.profile !== 'user') readProfile()
  }, profileRefreshMs)
  const hours = setInterval(() => {
    if (viewer().userId > 0) checkHours()
  }, hoursCheckMs)
  return () => {
    clearInterval(profile)
    clearInterval(hours)
  }
}
