import { localTime, midnightAfter, momentOf, offsetMinutes } from '../calendar/local-time.ts'

/** Times for which a flow may schedule a message, relative to the step's execution. */
export const APPOINTMENTS = ['custom', '30_mins', '1_hour', 'tomorrow', 'next_week', 'next_month'] as const

/**
 * Time of a scheduled message: its type, the date of `custom` (ISO; without offset in the company's local time) and an extra
 * delay in ms.
 */
export type Appointment = {
  readonly type: (typeof APPOINTMENTS)[number]
  readonly date: string
  readonly delayMs: number
}

const HOUR_MS = 3_600_000
const WALL = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::\d\d)?$/

/**
 * Returns the time of an appointment in epoch ms, in the company's zone: tomorrow, in a week or in a month at the same time
 * of day (a shorter month's last day); null if `custom` has no date.
 */
export function momentOfAppointment({ type, date, delayMs }: Appointment, now: number, zone: string): number | null {
  const at = momentWithout(type, date, now, zone)
  return at === null ? null : at + delayMs
}

function momentWithout(type: Appointment['type'], date: string, now: number, zone: string): number | null {
  const { hour, minute, ...today } = localTime(now, offsetMinutes(zone, now))
  const onDay = (days: number) => momentOf(zone, { ...midnightAfter({ ...today, hour, minute }, days), hour, minute })
  switch (type) {
    case '30_mins':
      return now + HOUR_MS / 2
    case '1_hour':
      return now + HOUR_MS
    case 'tomorrow':
      return onDay(1)
    case 'next_week':
      return onDay(7)
    case 'next_month': {
      const last = new Date(Date.UTC(today.year, today.month + 1, 0)).getUTCDate()
      const [year, month] = today.month === 12 ? [today.year + 1, 1] : [today.year, today.month + 1]
      return momentOf(zone, { year, month, day: Math.min(today.day, last), hour, minute })
    }
    case 'custom': {
      const wall = WALL.exec(date.trim())?.slice(1).map(Number)
      const [year, month = 0, day = 0, hours = 0, minutes = 0] = wall ?? []
      const at =
        year === undefined ? Date.parse(date) : momentOf(zone, { year, month, day, hour: hours, minute: minutes })
      return Number.isFinite(at) ? at : null
    }
  }
}
