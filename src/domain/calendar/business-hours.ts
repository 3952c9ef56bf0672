import { isoDay, type LocalTime, midnightAfter } from './local-time.ts'

/**
 * Business hours of one weekday (0 = Sunday): `O` open all day (never absence), `C` closed, `H` one or two periods as
 * `HH:MM`, hr1–hr2 and hr3–hr4 (both empty: one period). An end at 23:59 means midnight, so that a night continues on the
 * next day.
 */
export type BusinessDay = {
  readonly day: number
  readonly label: string
  readonly type: 'O' | 'C' | 'H'
  readonly hr1: string
  readonly hr2: string
  readonly hr3: string
  readonly hr4: string
}

/** Holiday: a day (`YYYY-MM-DD`) that is closed while `active`. */
export type Holiday = { readonly date: string; readonly description: string; readonly active: boolean }

/** Portuguese weekday names, Sunday first. */
export const WEEKDAYS = ['Domingo', 'Segunda', 'Terça', 'Quarta', 'Quinta', 'Sexta', 'Sábado'] as const

/** Default week of a form: Monday to Friday 08:00–12:00 and 14:00–18:00, closed on weekends. */
export const USUAL_WEEK: readonly BusinessDay[] = WEEKDAYS.map((label, day) => ({
  day,
  label,
  type: day === 0 || day === 6 ? 'C' : 'H',
  hr1: '08:00',
  hr2: '12:00',
  hr3: '14:00',
  hr4: '18:00',
}))

/** Maximum number of days ahead in which `nextOpening` searches. */
const DAYS_AHEAD = 400

/** Whether the hours are open at this local time; always with an empty week, never on a weekday that the week omits. */
export function isOpen(week: readonly BusinessDay[], holidays: readonly Holiday[], at: LocalTime): boolean {
  const now = at.hour * 60 + at.minute
  return periodsOn(week, holidays, at).some(([start, end]) => start <= now && now < end)
}

/** Whether the week has any opening hours. */
export const isEverOpen = (week: readonly BusinessDay[]): boolean =>
  WEEKDAYS.some((_, day) => periodsOf(week, day).length > 0)

/** Returns the first open minute in local time from `now` on (`now`, if open); null if none within 400 days. */
export function nextOpening(
  week: readonly BusinessDay[],
  holidays: readonly Holiday[],
  at: LocalTime,
): LocalTime | null {
  const now = at.hour * 60 + at.minute
  for (let days = 0; days <= DAYS_AHEAD; days++) {
    const date = midnightAfter(at, days)
    const earliest = days === 0 ? now : 0
    const period = periodsOn(week, holidays, date).find(([, end]) => earliest < end)
    if (!period) continue
    const minutes = Math.max(period[0], earliest)
    return { ...date, hour: Math.floor(minutes / 60), minute: minutes % 60 }
  }
  return null
}

/** Returns the open periods of a day in minutes from midnight, in order; none on a holiday. */
export const periodsOn = (
  week: readonly BusinessDay[],
  holidays: readonly Holiday[],
  date: LocalTime,
): readonly Period[] => (isHoliday(holidays, date) ? [] : periodsOf(week, date.weekday))

/** Returns the problems of a week, one Portuguese sentence per day; empty if valid. */
export function weekProblems(week: readonly BusinessDay[]): { day: number; problem: string }[] {
  return WEEKDAYS.flatMap((name, day) => {
    const rows = week.filter((candidate) => candidate.day === day)
    const [row] = rows
    const problems = rows.length > 1 ? ['aparece mais de uma vez'] : row ? dayProblems(row) : ['falta o dia']
    return problems.length > 0 ? [{ day, problem: `${name}: ${problems.join('; ')}.` }] : []
  })
}

function dayProblems(row: BusinessDay): string[] {
  if (row.type !== 'H') return []
  if (row.hr3 === '' && row.hr4 === '') {
    const [start, end] = [minutesOf(row.hr1), minutesOf(row.hr2)]
    if (start === null || end === null) return ['preencha os dois horários (HH:MM)']
    return start >= end ? ['o período precisa terminar depois de começar'] : []
  }
  const [start1, end1] = [minutesOf(row.hr1), minutesOf(row.hr2)]
  const [start2, end2] = [minutesOf(row.hr3), minutesOf(row.hr4)]
  if (start1 === null || end1 === null || start2 === null || end2 === null)
    return ['preencha os quatro horários (HH:MM)']
  return [
    ...(start1 >= end1 ? ['o primeiro período precisa terminar depois de começar'] : []),
    ...(start2 >= end2
      ? [
          start1 < end1 && end1 < start2 && end2 < start1
            ? BEYOND
            : 'o segundo período precisa terminar depois de começar',
        ]
      : []),
    ...(end1 >= start2 ? ['o segundo período precisa começar depois do primeiro'] : []),
  ]
}

// 24:00 cannot be typed: a period that ends at 23:59 includes the last minute of the day.
const LAST_MINUTE = 23 * 60 + 59
const MIDNIGHT = 24 * 60
const BEYOND = 'o segundo período passa da meia-noite: termine às 23:59 e continue no dia seguinte'

type Period = readonly [start: number, end: number]
const WHOLE_DAY: readonly Period[] = [[0, MIDNIGHT]]

function periodsOf(week: readonly BusinessDay[], weekday: number): readonly Period[] {
  if (week.length === 0) return WHOLE_DAY
  const row = week.find((candidate) => candidate.day === weekday)
  if (!row || row.type === 'C') return []
  if (row.type === 'O') return WHOLE_DAY
  const [start1, end1, start2, end2] = [row.hr1, row.hr2, row.hr3, row.hr4].map(minutesOf)
  return [periodOf(start1, end1), periodOf(start2, end2)].filter((period) => period !== null)
}

function periodOf(start: number | null | undefined, end: number | null | undefined): Period | null {
  return start == null || end == null || start >= end ? null : [start, end === LAST_MINUTE ? MIDNIGHT : end]
}

function minutesOf(text: string): number | null {
  const match = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text)
  return match ? Number(match[1]) * 60 + Number(match[2]) : null
}

function isHoliday(holidays: readonly Holiday[], at: LocalTime): boolean {
  const date = isoDay(at)
  return holidays.some((holiday) => holiday.active && holiday.date === date)
}
