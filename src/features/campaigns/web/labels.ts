import type { MassKind } from '#domain/campaigns/mass.ts'
import type { DispatchStatus } from '#domain/campaigns/states.ts'
import { t } from '#web/t.ts'

type Tone = 'plain' | 'info' | 'pos' | 'warn' | 'neg'

/** Labels and tones of a campaign's statuses. */
export const STATUSES: Readonly<Record<DispatchStatus, { label: string; tone: Tone }>> = {
  pending: { label: t('Pendente'), tone: 'plain' },
  scheduled: { label: t('Programada'), tone: 'info' },
  processing: { label: t('Processando'), tone: 'info' },
  paused: { label: t('Pausada'), tone: 'warn' },
  canceled: { label: t('Cancelada'), tone: 'neg' },
  finished: { label: t('Finalizada'), tone: 'pos' },
}

const DAYS = [t('dom'), t('seg'), t('ter'), t('qua'), t('qui'), t('sex'), t('sáb')] as const

/** Formats days of the week (0 is Sunday); consecutive ones as a range. */
export function daysText(days: readonly number[]): string {
  const sorted = days.toSorted((one, other) => one - other)
  const [first, last] = [sorted[0], sorted.at(-1)]
  if (first === undefined || last === undefined) return '—'
  if (sorted.length === DAYS.length) return t('todos')
  const isRow = sorted.length > 2 && last - first === sorted.length - 1
  return isRow
    ? t('{first} a {last}', { first: DAYS[first] ?? '', last: DAYS[last] ?? '' })
    : sorted.map((day) => DAYS[day]).join(', ')
}

/** Titles of the kinds of messages to lists. */
export const MASS_TITLES: Readonly<Record<MassKind, string>> = {
  text: t('Disparo em massa'),
  text_variable: t('Disparo com variáveis'),
  template: t('Disparo de modelos'),
  template_variable: t('Modelos com variáveis'),
  sms: t('Disparo de SMS'),
}
