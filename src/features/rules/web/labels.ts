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
  /** Texts of the comparison and of its negation. */
  readonly is: string
  readonly isNot: string
  /** Text of the value "none". */
  readonly none?: string
  /** Text before the ticket's value, if not “era”, and text for a ticket without a value. */
  readonly was?: string
  readonly wasNone?: string
}

const one = { is: t('é'), isNot: t('não é') }
const had = { was: t('Tinha') }

/** Fields of conditions with their texts, in menu order. */
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

/** Display names of the statuses. */
export const STATUSES = { open: t('aberto'), pending: t('pendente'), closed: t('resolvido') } as const

/** Formats a condition as text. */
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

/** Formats a decided condition as text, as it was at that time. */
export function askedText({ field, is, asked, more }: DecidedCondition): string {
  const kind = FIELDS[field]
  const compared = is ? kind.is : kind.isNot
  if (field === 'isOpen') return `${kind.label}: ${compared}`
  const rest = more > 0 ? [t('mais {count}', { count: more })] : []
  return `${kind.label} ${compared} ${[...asked.map((value) => valueText(field, value)), ...rest].join(t(' ou '))}`
}

/** Formats the values that decided a condition; empty if the condition's text suffices. */
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
