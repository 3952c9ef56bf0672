import { type BusinessDay, type Holiday, isOpen, nextOpening, WEEKDAYS } from '../calendar/business-hours.ts'
import { type LocalTime, localTime, midnightAfter, momentOf, offsetMinutes } from '../calendar/local-time.ts'

const SECOND = 1000
const HOUR = 3600 * SECOND
/** Maximum delay after which a scheduled message is still sent. */
const LATEST_MS = HOUR
const SOONEST_MS = 5 * SECOND
const FARTHEST_MS = 365 * 24 * HOUR

/** Returns the reason for which a message cannot be scheduled for a moment (epoch ms); null if it can. */
export function scheduleProblem(at: number, now: number): string | null {
  if (at < now + SOONEST_MS) return 'Escolha um horário que ainda não passou.'
  return at > now + FARTHEST_MS ? 'Agende para no máximo um ano à frente.' : null
}

/** Whether a scheduled message is so late that it may not go any more. */
export const isTooLate = (scheduledFor: number, now: number): boolean => now - scheduledFor > LATEST_MS

/** Suggested time with its Portuguese label. */
export type ScheduleChoice = { readonly label: string; readonly at: number }

/**
 * Returns suggested times, earliest first, in the company's zone and hours: in half an hour, today at 18:00 (or at an
 * earlier closing), tomorrow and next Monday at 9:00 (or at a later opening).
 */
export function scheduleChoices(
  now: number,
  { zone, week, holidays }: { zone: string; week: readonly BusinessDay[]; holidays: readonly Holiday[] },
): ScheduleChoice[] {
  const local = localTime(now, offsetMinutes(zone, now))
  const opens = (wanted: LocalTime) => {
    const day = nextOpening(week, holidays, wanted)
    return day && nextOpening(week, holidays, { ...day, hour: 9, minute: 0 })
  }
  const named = (wanted: LocalTime, name: string): ScheduleChoice[] => {
    const time = opens(wanted)
    if (!time) return []
    const day = time.day === wanted.day && time.month === wanted.month ? name : dayName(time)
    return [{ label: `${day}, ${clockOf(time)}`, at: momentOf(zone, time) }]
  }
  const tonight = endOfWork(local, week, holidays)
  const today = tonight === null ? [] : [{ label: `Hoje, ${clockOf(tonight)}`, at: momentOf(zone, tonight) }]
  const toMonday = (8 - local.weekday) % 7 || 7
  const all = [
    { label: 'Em 30 minutos', at: Math.ceil((now + HOUR / 2) / (60 * SECOND)) * 60 * SECOND },
    ...today,
    ...named(midnightAfter(local, toMonday), 'Segunda-feira'),
    ...named(midnightAfter(local, 1), 'Amanhã'),
  ]
  // Two labels of one moment: the nearer day's label wins.
  const moments = new Map(all.filter(({ at }) => scheduleProblem(at, now) === null).map((one) => [one.at, one]))
  return [...moments.values()].sort((a, b) => a.at - b.at)
}

// 18:00, or the last full half hour before it when people are still there.
function endOfWork(now: LocalTime, week: readonly BusinessDay[], holidays: readonly Holiday[]): LocalTime | null {
  for (let minutes = 18 * 60; minutes > now.hour * 60 + now.minute; minutes -= 30) {
    const last = { ...now, hour: Math.floor((minutes - 1) / 60), minute: (minutes - 1) % 60 }
    if (isOpen(week, holidays, last)) return { ...now, hour: Math.floor(minutes / 60), minute: minutes % 60 }
  }
  return null
}

const two = (value: number) => String(value).padStart(2, '0')
const clockOf = ({ hour, minute }: LocalTime) => `${hour}:${two(minute)}`
const dayName = ({ day, month, weekday }: LocalTime) => `${WEEKDAYS[weekday]} ${two(day)}/${two(month)}`
