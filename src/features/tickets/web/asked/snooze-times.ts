import { t } from '#web/t.ts'

const HOUR = 3_600_000

/** Suggested end of a snooze. */
export type SnoozeTime = { readonly label: string; readonly at: Date }

const atEight = (day: Date, ahead: number): Date =>
  new Date(day.getFullYear(), day.getMonth(), day.getDate() + ahead, 8, 0)

/** Returns the suggestions: in one hour, in three, tomorrow and next Monday at eight, by the person's clock. */
export function snoozeTimes(now: Date): readonly SnoozeTime[] {
  const untilMonday = (8 - now.getDay()) % 7 || 7
  return [
    { label: t('Daqui a 1 hora'), at: new Date(now.getTime() + HOUR) },
    { label: t('Daqui a 3 horas'), at: new Date(now.getTime() + 3 * HOUR) },
    { label: t('Amanhã cedo'), at: atEight(now, 1) },
    ...(untilMonday > 1 ? [{ label: t('Segunda cedo'), at: atEight(now, untilMonday) }] : []),
  ]
}
