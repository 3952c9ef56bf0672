import { WEEKDAYS } from '#domain/calendar/business-hours.ts'
import { localTime, offsetMinutes } from '#domain/calendar/local-time.ts'
import { formatDate, formatTime } from '#web/format.ts'
import { t } from '#web/t.ts'

/**
 * Formats the opening state: “Aberto agora”, “Fechado agora, abre hoje às 14:00”, “… segunda às 08:00”, “… em 04/01/2027 às
 * 08:00”.
 */
export function openingLabel(
  opening: { isOpen: boolean; opensAt: string | null; timezone: string },
  now: Date,
): string {
  const { isOpen, opensAt, timezone } = opening
  if (isOpen) return t('Aberto agora')
  if (!opensAt) return t('Fechado agora')
  const time = formatTime(opensAt)
  const midnight = (at: number) => Math.floor((at + offsetMinutes(timezone, at) * 60_000) / 86_400_000)
  const at = Date.parse(opensAt)
  const days = midnight(at) - midnight(now.getTime())
  if (days === 0) return t('Fechado agora, abre hoje às {time}', { time })
  if (days === 1) return t('Fechado agora, abre amanhã às {time}', { time })
  const weekday = WEEKDAYS[localTime(at, offsetMinutes(timezone, at)).weekday]?.toLowerCase() ?? ''
  return days < 7
    ? t('Fechado agora, abre {weekday} às {time}', { weekday, time })
    : t('Fechado agora, abre em {date} às {time}', { date: formatDate(opensAt), time })
}
