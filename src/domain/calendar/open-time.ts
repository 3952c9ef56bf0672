import { type BusinessDay, type Holiday, periodsOn } from './business-hours.ts'
import { localTime, midnightAfter, momentOf, offsetMinutes } from './local-time.ts'

/** Opening hours in an IANA zone; an empty week is always open except on holidays. */
export type OpenHours = {
  readonly week: readonly BusinessDay[]
  readonly holidays: readonly Holiday[]
  readonly zone: string
}

/** Calculator of open time between moments (epoch ms), and of the moment at which an amount of open time has passed. */
export type OpenTime = {
  isOpen(at: number): boolean
  /** Returns the open time between two moments in ms; 0 if `to` is not after `from`. */
  between(from: number, to: number): number
  /** Returns the moment at which `ms` of open time have passed since `from`; null if not within 800 days. */
  after(from: number, ms: number): number | null
  /** Returns the open periods between two moments, in order. */
  periods(from: number, to: number): [from: number, to: number][]
}

/** Maximum number of days ahead in which open time is searched. */
const DAYS_AHEAD = 800

type Period = readonly [from: number, to: number]

/** Creates a calculator of open time; it caches days, so that one instance serves many tickets. */
export function openTime({ week, holidays, zone }: OpenHours): OpenTime {
  const days = new Map<number, readonly Period[]>()
  const dayOf = (at: number) => {
    const { year, month, day } = localTime(at, offsetMinutes(zone, at))
    return Date.UTC(year, month - 1, day)
  }
  // Periods of a day; `date` is its midnight as if its zone were UTC.
  const periodsOf = (date: number): readonly Period[] => {
    const before = days.get(date)
    if (before) return before
    const day = localTime(date, 0)
    const moment = (minutes: number) =>
      momentOf(
        zone,
        minutes === MIDNIGHT ? midnightAfter(day, 1) : { ...day, hour: Math.floor(minutes / 60), minute: minutes % 60 },
      )
    const periods = periodsOn(week, holidays, day).map(([from, to]) => [moment(from), moment(to)] as const)
    days.set(date, periods)
    return periods
  }
  function* periodsFrom(at: number, days = DAYS_AHEAD): Generator<Period> {
    const first = dayOf(at)
    for (let day = 0; day <= days; day++) {
      for (const [from, to] of periodsOf(first + day * DAY_MS)) if (to > at) yield [Math.max(from, at), to]
    }
  }
  return {
    isOpen(at) {
      const [next] = periodsFrom(at)
      return next?.[0] === at
    },
    between(from, to) {
      let ms = 0
      for (const [start, end] of periodsFrom(from)) {
        if (start >= to) break
        ms += Math.min(end, to) - start
      }
      return ms
    },
    after(from, ms) {
      let left = Math.max(0, ms)
      for (const [start, end] of periodsFrom(from)) {
        if (left <= end - start) return start + left
        left -= end - start
      }
      return null
    },
    periods(from, to) {
      const periods: [number, number][] = []
      for (const [start, end] of periodsFrom(from, Math.ceil((to - from) / DAY_MS) + 1)) {
        if (start >= to) break
        periods.push([start, Math.min(end, to)])
      }
      return periods
    },
  }
}

const DAY_MS = 86_400_000
const MIDNIGHT = 24 * 60
