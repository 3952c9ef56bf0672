import type { ComponentType } from 'react'
import { type Alert, daysUntil } from '#domain/funnel/alerts.ts'
import type { Order } from '#domain/funnel/orders.ts'
import type { Period } from '#domain/funnel/periods.ts'
import { t } from '#web/t.ts'
import { DueIcon, HighValueIcon, IdleIcon, SlaIcon, TaskIcon, UnassignedIcon } from '#web/ui/icons.ts'
import type { Tone } from '#web/ui/identity/badges.tsx'

type Look = { readonly name: string; readonly tone: Tone; readonly icon: ComponentType<{ size?: number | string }> }

/** Display names of alerts. */
export const ALERT: Readonly<Record<Alert, Look>> = {
  due: { name: t('Oportunidade vencendo'), tone: 'neg', icon: DueIcon },
  idle: { name: t('Sem movimentação'), tone: 'warn', icon: IdleIcon },
  unassigned: { name: t('Sem responsável'), tone: 'warn', icon: UnassignedIcon },
  high: { name: t('Valor alto'), tone: 'warn', icon: HighValueIcon },
  stale: { name: t('Etapa estagnada'), tone: 'warn', icon: SlaIcon },
  taskless: { name: t('Sem próxima tarefa'), tone: 'plain', icon: TaskIcon },
}

/** Display names of the board's orders; '' is the manual order. */
export const ORDER: Readonly<Record<Order | '', string>> = {
  '': t('Ordem do painel'),
  valor_desc: t('Maior valor'),
  valor_asc: t('Menor valor'),
  data_desc: t('Mais novas'),
  data_asc: t('Mais antigas'),
  fechamento: t('Previsão de fechamento'),
}

/** Display names of the periods. */
export const PERIOD: Readonly<Record<Period, string>> = {
  hoje: t('Hoje'),
  '7dias': t('7 dias'),
  '30dias': t('30 dias'),
  '90dias': t('90 dias'),
  mes_atual: t('Este mês'),
  mes_anterior: t('Mês anterior'),
}

/** Formats the due date of an opportunity: “Vence amanhã”. */
export function dueText(today: string, forecast: string): string {
  const days = daysUntil(today, forecast)
  if (days < 0) return t('Venceu')
  if (days === 0) return t('Vence hoje')
  return days === 1 ? t('Vence amanhã') : t('Vence em {days} dias', { days })
}

/** Formats a day, without the year if it is the current one: “03/12”. */
export function shortDay(day: string, today: string): string {
  const [year, month, date] = day.split('-')
  return year === today.slice(0, 4) ? `${date}/${month}` : `${date}/${month}/${year}`
}
