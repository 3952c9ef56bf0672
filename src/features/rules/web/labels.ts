import type { ComponentType } from 'react'
import { ownMember } from '#domain/keys.ts'
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
import type { DecidedCondition, Rule } from '../contract.ts'

type Field = Condition['field']
type Kind = {
  readonly label: string
  readonly icon: ComponentType<{ size?: number | string }>
  /** How it is compared, and the opposite. */
  readonly is: string
  readonly isNot: string
  /** What a value of none is called. */
  readonly none?: string
  /** What is said before the value that a ticket had, where it is not “era”, and of a ticket that had none. */
  readonly was?: string
  readonly wasNone?: string
}

const one = { is: t('é'), isNot: t('não é') }
const had = { was: t('Tinha') }

/** What a condition compares, in the order in which it is offered. */
export const FIELDS: Readonly<Record<Field, Kind>> = {
  phrases: { label: t('Mensagem'), icon: MessageIcon, is: t('tem'), isNot: t('não tem'), ...had },
  queueId: { label: t('Fila'), icon: QueuesIcon, ...one, none: t('Sem fila') },
  userId: { label: t('Responsável'), icon: PersonIcon, ...one, none: t('Sem responsável') },
  status: { label: t('Situação'), icon: TicketsIcon, ...one },
  tagIds: {
    label: t('Etiquetas'),
    icon: TagIcon,
    is: t('têm'),
    isNot: t('não têm'),
    ...had,
    wasNone: t('Não tinha nenhuma.'),
  },
  connectionId: { label: t('Canal'), icon: SignalIcon, ...one },
  stageId: { label: t('Etapa do kanban'), icon: KanbanIcon, ...one, none: t('Sem etapa') },
  walletIds: {
    label: t('Carteira'),
    icon: WalletIcon,
    is: t('é de'),
    isNot: t('não é de'),
    was: t('Era de'),
    wasNone: t('Não era de ninguém.'),
  },
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

/** A condition in words, as it was when it was decided. */
export function askedText({ field, is, asked, more }: DecidedCondition): string {
  const kind = FIELDS[field]
  const compared = is ? kind.is : kind.isNot
  if (field === 'isOpen') return `${kind.label}: ${compared}`
  const rest = more > 0 ? [t('mais {count}', { count: more })] : []
  return `${kind.label} ${compared} ${[...asked.map((value) => valueText(field, value)), ...rest].join(t(' ou '))}`
}

/** What decided a condition, in words; empty where the condition itself has said it. */
export function foundText({ field, is, matches, asked, more, found }: DecidedCondition): string {
  const { is: inside, isNot: outside, was = t('Era'), wasNone = '' } = FIELDS[field]
  if (field === 'isOpen') return matches ? '' : `${t('Era')} ${is ? outside : inside}.`
  if (found.length === 0) return matches ? '' : wasNone
  if (matches && is && more === 0 && String(asked) === String(found)) return ''
  return `${was} ${found.map((value) => valueText(field, value)).join(', ')}.`
}

function valueText(field: Field, value: string | null): string {
  if (value === null) return (FIELDS[field].none ?? '').toLowerCase()
  if (value === '') return t('(não existe mais)')
  if (field === 'phrases') return `“${value}”`
  return field === 'status' ? (ownMember(STATUSES, value) ?? value) : value
}
