const DAY_MS = 86_400_000

/** Returns the end of a trial of `days` from its beginning. */
export const trialEnd = (began: Date, days: number): Date => new Date(began.getTime() + days * DAY_MS)

/** Returns the length of a trial in days; 0 without one. */
export const trialDays = (began: Date, ends: Date | null): number =>
  ends ? Math.round((ends.getTime() - began.getTime()) / DAY_MS) : 0

type Trial = { readonly began: Date; readonly ends: Date | null }
type Wish = { readonly trial?: 'enabled' | 'disabled' | undefined; readonly trialPeriod?: number | undefined }

/**
 * Computes the next trial state: enabling starts it now, other days move its end, disabling removes it. Null: unchanged;
 * 'days': enabled without a length.
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
