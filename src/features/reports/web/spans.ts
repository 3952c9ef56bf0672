import { t } from '#web/t.ts'
import type { Interval } from '../contract.ts'

/** Converts an interval to ms; null stays null. */
export const msOf = (interval: Interval): number | null =>
  interval && ((interval.hours * 60 + interval.minutes) * 60 + interval.seconds) * 1000 + interval.milliseconds

/** Formats a span: “18min 42s”, “2h 05min”, “3d 4h”; “—” for null. */
export function spanOf(ms: number | null): string {
  if (ms === null) return '—'
  const seconds = Math.round(ms / 1000)
  const [minutes, hours, days] = [Math.floor(seconds / 60), Math.floor(seconds / 3600), Math.floor(seconds / 86_400)]
  const two = (value: number) => String(value).padStart(2, '0')
  if (minutes < 1) return `${seconds}s`
  if (hours < 1) return t('{minutes}min {seconds}s', { minutes, seconds: two(seconds % 60) })
  if (days < 2) return t('{hours}h {minutes}min', { hours, minutes: two(minutes % 60) })
  return `${days}d ${hours % 24}h`
}
