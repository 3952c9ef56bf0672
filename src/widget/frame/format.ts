import { spoken, t } from './labels.ts'

// Cached per language: creating a formatter takes longer than using it a thousand times.
const formats = new Map<string, Intl.DateTimeFormat>()
function format(name: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${name} ${spoken()}`
  const known = formats.get(key) ?? new Intl.DateTimeFormat(spoken(), options)
  formats.set(key, known)
  return known
}
const clock = () => format('clock', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
const longDay = () => format('day', { weekday: 'long', day: 'numeric', month: 'long' })

/** Formats a time: `14:05`. */
export const timeText = (time: number): string => clock().format(time)

/** Formats a day: “Hoje”, “Ontem” or “terça-feira, 18 de novembro”. */
export function dayText(day: number, now = Date.now()): string {
  const ago = Math.round((new Date(now).setHours(0, 0, 0, 0) - day) / 86_400_000)
  return ago === 0 ? t('Hoje') : ago === 1 ? t('Ontem') : longDay().format(day)
}

/** Formats a size: `1,4 MB`. */
export function sizeText(bytes: number): string {
  const isSmall = bytes < 1024 * 1024
  const value = bytes / (isSmall ? 1024 : 1024 * 1024)
  return `${value.toLocaleString(spoken(), { maximumFractionDigits: isSmall ? 0 : 1 })} ${isSmall ? 'kB' : 'MB'}`
}

/** Formats a duration: `1:07`. */
export const durationText = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`
