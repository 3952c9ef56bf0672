const DAY_MS = 86_400_000

/** When a trial of so many days ends that began then. */
export const trialEnd = (began: Date, days: number): Date => new Date(began.getTime() + days * DAY_MS)

/** How many days a trial lasts in all; none: 0. */
export const trialDays = (began: Date, ends: Date | null): number =>
  ends ? Math.round((ends.getTime() - began.getTime()) / DAY_MS) : 0

type Trial = { readonly began: Date; readonly ends: Date | null }
type Wish = { readonly trial?: 'enabled' | 'disabled' | undefined; readonly trialPeriod?: number | undefined }

/**
 * What becomes of a trial: switched on it begins now, other days move its end, switched off it leaves nothing behind.
 * Null: it stays as it is; 'days': it was switched on without saying for how long.
 */
export function nextTrial(before: Trial, { trial, trialPeriod }: Wish, now: Date): Trial | 'days' | null {
  const isOn = before.ends !== null
  const wanted = trial === undefined ? isOn : trial === 'enabled'
  if (!wanted) return isOn ? { began: before.began, ends: null } : null
  if (trialPeriod === 0) return 'days'
  if (!isOn) return trialPeriod ? { began: now, ends: trialEnd(now, trialPeriod) } : 'days'
  return trialPeriod === undefined || trialPeriod === trialDays(before.began, before.ends)
    ? null
    : { began: before.began, ends: trialEnd(before.began, trialPeriod) }
}
