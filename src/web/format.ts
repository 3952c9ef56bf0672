import { t } from './t.ts'

let zone = 'America/Sao_Paulo'
const formats = new Map<Intl.DateTimeFormatOptions, Intl.DateTimeFormat>()

/** Sets the tenant's time zone (IANA name) for every formatter below; a name the browser does not know is ignored. */
export function setZone(name: string): void {
  if (name === zone) return
  try {
    new Intl.DateTimeFormat('pt-BR', { timeZone: name })
    zone = name
    formats.clear()
  } catch {
    // keeps the previous zone
  }
}

/** Returns the tenant's time zone (IANA name). */
export const timeZone = (): string => zone

type When = string | number | Date

function show(when: When, options: Intl.DateTimeFormatOptions): string {
  let format = formats.get(options)
  if (!format) {
    format = new Intl.DateTimeFormat('pt-BR', { ...options, timeZone: zone })
    formats.set(options, format)
  }
  return format.format(new Date(when))
}

const dayParts = { day: '2-digit', month: '2-digit', year: 'numeric' } as const
const weekday = { weekday: 'long' } as const
const clockParts = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const

/** Formats DD/MM/AAAA in the tenant's zone. */
export const formatDate = (when: When): string => show(when, dayParts)

/** Formats YYYY-MM-DD, as date inputs hold it, in the tenant's zone. */
export const inputDate = (when: When): string => formatDate(when).split('/').reverse().join('-')

/** Formats HH:mm in the tenant's zone. */
export const formatTime = (when: When): string => show(when, clockParts)

/** Formats DD/MM/AAAA HH:mm in the tenant's zone. */
export const formatDateTime = (when: When): string => `${formatDate(when)} ${formatTime(when)}`

/** Returns the days between two moments by the tenant's calendar (0 = the same day, 1 = the day before `now`). */
function daysAgo(when: When, now: number): number {
  const midnight = (moment: When) => {
    const [day, month, year] = show(moment, dayParts).split('/').map(Number) as [number, number, number]
    return Date.UTC(year, month - 1, day)
  }
  return Math.round((midnight(now) - midnight(when)) / 86_400_000)
}

/** Whether a moment lies in the tenant's present day. */
export const isToday = (when: When, now: number = Date.now()): boolean => daysAgo(when, now) === 0

/** Time for a list row: “14:32” today, “ontem”, the weekday within a week, “18/11” this year, else “18/11/2025”. */
export function formatListTime(when: When, now: number = Date.now()): string {
  const days = daysAgo(when, now)
  if (days <= 0) return formatTime(when)
  if (days === 1) return 'ontem'
  if (days < 7) return show(when, weekday).replace('-feira', '')
  const date = formatDate(when)
  return date.slice(6) === formatDate(now).slice(6) ? date.slice(0, 5) : date
}

/** Formats a day by its name: “Hoje”, “Ontem”, “Amanhã” or “terça-feira, 18/11/2026”. */
export function formatDay(when: When, now: number = Date.now()): string {
  const days = daysAgo(when, now)
  if (days === 0) return t('Hoje')
  if (days === 1) return t('Ontem')
  if (days === -1) return t('Amanhã')
  return `${show(when, weekday)}, ${formatDate(when)}`
}

/** Formats a time span: “agora”, “6 min”, “5h04”, “3 d”; a negative `ms` counts as zero. */
export function formatSpan(ms: number): string {
  const minutes = Math.floor(Math.max(0, ms) / 60_000)
  if (minutes < 1) return t('agora')
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return `${hours}h${String(minutes % 60).padStart(2, '0')}`
  return `${Math.floor(hours / 24)} d`
}

/** Formats minutes and seconds of a recording or call: “0:24”, “12:05”. */
export function formatClock(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}

/** Formats money as “R$ 1.234,56”; the wire's money is a decimal string. */
export const formatMoney = (value: string | number): string =>
  Number(value).toLocaleString('pt-BR', { style: 'currency', currency: 'BRL' })

/** Formats a number: “2.846”. */
export const formatNumber = (value: number): string => value.toLocaleString('pt-BR')

export { formatBytes } from '#domain/bytes.ts'
