import { type LocalTime, midnightAfter } from '../calendar/local-time.ts'

/** Period ahead for which birthdays are listed. */
export type BirthdayRange = 'today' | 'week' | 'month'

const DAYS: Readonly<Record<BirthdayRange, number>> = { today: 1, week: 7, month: 31 }
const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
const two = (value: number): string => String(value).padStart(2, '0')

/** Birthday: its position in the range, its year, and the stored `MM-DD`. */
export type BirthdayOn = { readonly position: number; readonly year: number; readonly day: string }

/** Returns the birthdays from a day on; people born on 29 February have theirs on the 28th in other years. */
export function birthdaysFrom(today: LocalTime, range: BirthdayRange): BirthdayOn[] {
  return Array.from({ length: DAYS[range] }, (_, position) => {
    const { year, month, day } = midnightAfter(today, position)
    const on = (text: string): BirthdayOn => ({ position, year, day: text })
    const own = on(`${two(month)}-${two(day)}`)
    return own.day === '02-28' && !isLeap(year) ? [own, on('02-29')] : [own]
  }).flat()
}
