import type { ComponentType } from 'react'
import type { Condition } from '#domain/rules/rules.ts'
import { t } from '#web/t.ts'
import {
  ClockIcon,
  KanbanIcon,
  MessageIcon,
  PersonIcon,
  QueuesIcon,
  SignalIcon,
  TagIcon,
  TicketsIcon,
  WalletIcon,
} from '#web/ui/icons.ts'
import type { Rule } from '../contract.ts'

type Field = Condition['field']
type Kind = {
  readonly label: string
  readonly icon: ComponentType<{ size?: number | string }>
  /** How it is compared, and the opposite. */
  readonly is: string
  readonly isNot: string
  /** What a value of none is called. */
  readonly none?: string
}

const one = { is: t('é'), isNot: t('não é') }

/** What a condition compares, in the order in which it is offered. */
export const FIELDS: Readonly<Record<Field, Kind>> = {
  phrases: { label: t('Mensagem'), icon: MessageIcon, is: t('tem'), isNot: t('não tem') },
  queueId: { label: t('Fila'), icon: QueuesIcon, ...one, none: t('Sem fila') },
  userId: { label: t('Responsável'), icon: PersonIcon, ...one, none: t('Sem responsável') },
  status: { label: t('Situação'), icon: TicketsIcon, ...one },
  tagIds: { label: t('Etiquetas'), icon: TagIcon, is: t('têm'), isNot: t('não têm') },
  connectionId: { label: t('Conexão'), icon: SignalIcon, ...one },
  stageId: { label: t('Etapa do kanban'), icon: KanbanIcon, ...one, none: t('Sem etapa') },
  walletIds: { label: t('Carteira'), icon: WalletIcon, is: t('é de'), isNot: t('não é de') },
  isOpen: { label: t('Horário'), icon: ClockIcon, is: t('dentro do atendimento'), isNot: t('fora do atendimento') },
}

/** What the statuses are called. */
export const STATUSES = { open: t('aberto'), pending: t('pendente'), closed: t('resolvido') } as const

/** A condition in words. */
export function conditionText({ condition, names, problem }: Rule['conditions'][number]): string {
  const { label, is, isNot, none } = FIELDS[condition.field]
  const compared = condition.is ? is : isNot
  if (condition.field === 'isOpen') return `${label}: ${compared}`
  const values =
    condition.field === 'phrases'
      ? condition.values.map((word) => `“${word}”`)
      : condition.field === 'status'
        ? condition.values.map((status) => STATUSES[status])
        : [...(none && condition.values.some((value) => value === null) ? [none.toLowerCase()] : []), ...names]
  const gone = problem ? [t('(não existe mais)')] : []
  return `${label} ${compared} ${[...values, ...gone].join(t(' ou '))}`
}
