import { viewer } from '../session/session.ts'

const profileRefreshMs = 30_000
const hoursCheckMs = 1_800_000

/**
 * The session's clocks (specification §4): the profile is read again every 30 s, for somebody whose profile is not `user`;
 * the opening hours are checked every 30 min, for everybody. Both only while there is a user id. Answers how to stop.
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
