import type { MassKind } from '#domain/campaigns/mass.ts'
import type { DispatchStatus } from '#domain/campaigns/states.ts'
import { t } from '#web/t.ts'

type Tone = 'plain' | 'info' | 'pos' | 'warn' | 'neg'

/** How the states of a campaign are called and marked. */
export const STATUSES: Readonly<Record<DispatchStatus, { label: string; tone: Tone }>> = {
  pending: { label: t('Pendente'), tone: 'plain' },
  scheduled: { label: t('Programada'), tone: 'info' },
  processing: { label: t('Processando'), tone: 'info' },
  paused: { label: t('Pausada'), tone: 'warn' },
  canceled: { label: t('Cancelada'), tone: 'neg' },
  finished: { label: t('Finalizada'), tone: 'pos' },
}

/** The days of the week by one letter each, Sunday first. */
export const DAYS = [t('D'), t('S'), t('T'), t('Q'), t('Q'), t('S'), t('S')] as const

/** How the kinds of messages to lists are called. */
export const MASS_TITLES: Readonly<Record<MassKind, string>> = {
  text: t('Disparo em massa'),
  text_variable: t('Disparo com variáveis'),
  template: t('Disparo de modelos'),
  template_variable: t('Modelos com variáveis'),
  sms: t('Disparo de SMS'),
}
