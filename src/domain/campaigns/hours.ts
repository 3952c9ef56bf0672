import { type BusinessDay, type Holiday, WEEKDAYS } from '../calendar/business-hours.ts'
import { type OpenTime, openTime } from '../calendar/open-time.ts'

/** Sending hours of a dispatch: a daily window (`HH:MM`, `24:00` is the day's end) on some weekdays (0 is Sunday). */
export type SendingHours = {
  readonly windowStart: string
  readonly windowEnd: string
  readonly weekdays: readonly number[]
  readonly skipsHolidays: boolean
}

/** Default hours of a dispatch. */
export const USUAL_HOURS: SendingHours = {
  ...{ windowStart: '08:00', windowEnd: '20:00' },
  ...{ weekdays: [1, 2, 3, 4, 5, 6], skipsHolidays: true },
}

/** Converts sending hours to open time in an IANA zone; omitted holidays do not apply. */
export function sendingTime(
  { windowStart, windowEnd, weekdays, skipsHolidays }: SendingHours,
  { zone, holidays }: { readonly zone: string; readonly holidays: readonly Holiday[] },
): OpenTime {
  // An end at 23:59 means midnight.
  const times = { hr1: windowStart, hr2: windowEnd === '24:00' ? '23:59' : windowEnd, hr3: '', hr4: '' }
  const week = WEEKDAYS.map(
    (label, day): BusinessDay => ({ day, label, type: weekdays.includes(day) ? 'H' : 'C', ...times }),
  )
  return openTime({ week, holidays: skipsHolidays ? holidays : [], zone })
}

/** Returns the problems of sending hours, by field; empty if valid. */
export function hoursProblems({ windowStart, windowEnd, weekdays }: SendingHours): Record<string, string> {
  const problems: Record<string, string> = {}
  if (windowStart >= windowEnd) problems['windowEnd'] = 'O fim do horário vem depois do começo.'
  if (weekdays.length === 0) problems['weekdays'] = 'Escolha ao menos um dia da semana.'
  return problems
}
