/** Daily period without sounds and notifications, from one local time (`22:00`) to another; may cross midnight. */
export type QuietHours = { readonly quiet: boolean; readonly quietFrom: string; readonly quietTo: string }

/** Default quiet hours. */
export const usualQuiet: QuietHours = { quiet: false, quietFrom: '22:00', quietTo: '07:00' }

const minutesOf = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5))

/** Whether a time of the day lies in the quiet hours. */
export function isQuiet({ quiet, quietFrom, quietTo }: QuietHours, { hour, minute }: { hour: number; minute: number }) {
  if (!quiet) return false
  const now = hour * 60 + minute
  const from = minutesOf(quietFrom)
  const to = minutesOf(quietTo)
  return from <= to ? now >= from && now < to : now >= from || now < to
}
