import { localTime, midnightAfter, offsetMinutes } from '#domain/calendar/local-time.ts'
import type { Conversation } from './types.ts'

const zone = 'America/Sao_Paulo'
const minute = 60_000
const day = 1440 * minute
const weekdays = ['domingo', 'segunda', 'terça', 'quarta', 'quinta', 'sexta', 'sábado']
const month = new Intl.DateTimeFormat('pt-BR', { month: 'long', timeZone: 'UTC' })

/** When each entry of a conversation happened, in epoch milliseconds, seen from `now`; never later than `now`. */
export function timeline({ messages, ageMinutes, startsAt }: Conversation, now: number): number[] {
  const last = (messages.at(-1)?.at ?? 0) * minute
  const start = onTheClock(now - ageMinutes * minute - last, startsAt)
  return messages.map(({ at }) => start + Math.round(at * minute))
}

/**
 * The text with its date tokens written out as of `at`: `{d+3}` the date DD/MM three working days later, `{s+3}` that
 * day's name, `{sab}` the date of the next Saturday, `{mes-1}` the name of last month; any other number
 * works too.
 */
export function dated(text: string, at: number): string {
  const today = localTime(at, offsetMinutes(zone, at))
  return text.replace(/\{(?:([ds])\+(\d+)|mes([+-]\d+)|sab)\}/g, (_, kind, days, months, index: number) => {
    if (months) return month.format(Date.UTC(today.year, today.month - 1 + Number(months)))
    if (!kind) return shortDate(midnightAfter(today, 6 - today.weekday || 7))
    const date = workingDay(today, Number(days))
    if (kind === 'd') return shortDate(date)
    const name = weekdays[date.weekday] ?? ''
    return /(^|[.!?]\s+)$/.test(text.slice(0, index)) ? name.charAt(0).toUpperCase() + name.slice(1) : name
  })
}

/** The latest moment not after `latest` at which a clock in São Paulo shows HH:MM. */
function onTheClock(latest: number, startsAt: string | undefined): number {
  if (startsAt === undefined) return latest
  const [hour = 0, minutes = 0] = startsAt.split(':').map(Number)
  const offset = offsetMinutes(zone, latest) * minute
  const midnight = Math.floor((latest + offset) / day) * day - offset
  const moment = midnight + (hour * 60 + minutes) * minute
  return moment > latest ? moment - day : moment
}

/** `count` working days later; counted day by day because weekends lie between. */
function workingDay(from: ReturnType<typeof localTime>, count: number): ReturnType<typeof localTime> {
  let date = midnightAfter(from, 0)
  for (let left = count; left > 0; ) {
    date = midnightAfter(date, 1)
    if (date.weekday !== 0 && date.weekday !== 6) left -= 1
  }
  return date
}

function shortDate({ day, month }: { day: number; month: number }): string {
  return `${String(day).padStart(2, '0')}/${String(month).padStart(2, '0')}`
}
