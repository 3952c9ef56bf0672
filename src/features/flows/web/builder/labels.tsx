import type { ComponentType, ReactNode } from 'react'
import type { DistributionMode } from '#domain/distribution/distribute.ts'
import type { Action, ASSISTANT_EXITS, Comparison, Condition, Interaction } from '#domain/flow/flow.ts'
import { interactionKind, interactionTexts } from '#domain/flow/nodes/index.ts'
import { plainText } from '#domain/messages/rich-text.ts'
import { plural, t } from '#web/t.ts'
import {
  AgendaIcon,
  ApiIcon,
  BlockIcon,
  BotIcon,
  ButtonsIcon,
  CalendarIcon,
  CheckIcon,
  ClockIcon,
  FileIcon,
  FlowIcon,
  FunnelIcon,
  MessageIcon,
  NoteIcon,
  PersonIcon,
  PhoneIcon,
  QueuesIcon,
  SignalIcon,
  SmsIcon,
  StagesIcon,
  TagIcon,
  UnsureIcon,
} from '#web/ui/icons.ts'
import css from './builder.module.css'
import type { Named, Names } from './names.ts'

type Icon = ComponentType<{ size?: number | string }>

const icons: Record<Interaction['does'], Icon> = {
  message: MessageIcon,
  options: ButtonsIcon,
  media: FileIcon,
  delay: ClockIcon,
  tag: TagIcon,
  stage: StagesIcon,
  reason: CheckIcon,
  note: NoteIcon,
  schedule: CalendarIcon,
  textMessage: SmsIcon,
  assistant: BotIcon,
  phoneCall: PhoneIcon,
  opportunity: FunnelIcon,
  calendarEvent: AgendaIcon,
  flow: FlowIcon,
  block: BlockIcon,
  call: ApiIcon,
  nothing: UnsureIcon,
}

/** Returns the icon of an interaction. */
export const iconOf = ({ does }: Pick<Interaction, 'does'>): Icon => icons[does]

/** Returns the display name of an interaction; the type itself if unknown. */
export const labelOf = ({ type }: Pick<Interaction, 'type'>): string => interactionKind(type)?.label ?? type

/** Checks whether the engine supports an interaction; others are skipped and preserved. */
export const isAvailable = ({ type }: Pick<Interaction, 'type'>): boolean => interactionKind(type)?.isAvailable ?? false

/** Returns the name of a referenced record. */
export const nameIn = (rows: readonly Named[], id: number | null): string =>
  rows.find((row) => row.id === id)?.name ?? (id === null ? t('(falta escolher)') : t('nº {id}', { id }))

const empty = (text: string): string => text.trim() || t('(vazio)')
// Returns a text without its bold and italic marks.
const read = (text: string): string => empty(plainText(text))

/** Summarises an interaction. */
export function interactionText(one: Interaction, names: Names): string {
  const detail = detailText(one, names)
  switch (one.does) {
    case 'delay':
      return t('Atraso de {detail}', { detail })
    case 'tag':
      return t('Etiqueta {detail}', { detail })
    case 'stage':
      return t('Kanban: {detail}', { detail })
    case 'reason':
      return t('Motivo: {detail}', { detail })
    case 'opportunity':
      return t('Oportunidade: {detail}', { detail })
    case 'calendarEvent':
      return t('Google Agenda: {detail}', { detail })
    case 'note':
      return t('Nota: {detail}', { detail })
    case 'flow':
      return t('Inicia {detail}', { detail })
    case 'block':
      return one.isBlocked ? t('Bloqueia o ChatBot') : t('Libera o ChatBot')
    case 'nothing':
      return labelOf(one)
    case 'assistant':
      return `${labelOf(one)}: ${detail}`
    default:
      return detail
  }
}

/** Returns the details of an interaction, to show beside its name. */
export function detailText(one: Interaction, names: Names): string {
  switch (one.does) {
    case 'delay':
      return t('{seconds} s', { seconds: one.ms / 1000 })
    case 'tag':
      return nameIn(names.tags, one.tagId)
    case 'stage':
      return nameIn(names.stages, one.kanban)
    case 'reason':
      return nameIn(names.reasons, one.reasonId)
    case 'opportunity':
      return `${read(one.name)} · ${nameIn(names.pipelineStages, one.stageId)}`
    case 'calendarEvent':
      return `${read(one.title)} · ${nameIn(names.calendars, one.calendarId)}`
    case 'schedule':
      return read(one.text || one.media?.name || '')
    case 'media':
      return one.media.name || one.media.caption || t('(falta o arquivo)')
    case 'flow':
      return nameIn(names.flows, one.chatFlowId)
    case 'block':
      return one.isBlocked ? t('bloqueia') : t('libera')
    case 'assistant':
      return one.accountId === null ? t('Conta padrão') : nameIn(names.assistants, one.accountId)
    case 'phoneCall':
      return read(t('Ligar para {number}', { number: one.number || t('o número do contato') }))
    case 'call':
      return empty(one.call.url.replace(/^https?:\/\//, ''))
    default: {
      const texts = interactionTexts(one)
      return texts.length === 0 ? '' : read(texts.filter((text) => text !== '').join(' · '))
    }
  }
}

/** Display names of the comparisons. */
export const comparisons: Record<Comparison, string> = {
  equals: t('É igual a'),
  contains: t('Contém'),
  startsWith: t('Começa com'),
  endsWith: t('Termina com'),
  regex: t('Segue o padrão (regex)'),
}

const short: Record<Comparison, string> = {
  equals: '',
  contains: t('contém '),
  startsWith: t('começa com '),
  endsWith: t('termina com '),
  regex: t('Regex '),
}

/** Display names of the ways in which an assistant's step ends. */
export const exitTexts: Record<(typeof ASSISTANT_EXITS)[number], string> = {
  answered: t('O assistente respondeu'),
  off: t('Pediu uma pessoa'),
  failed: t('O assistente falhou'),
}

/** Summarises the test of a condition. */
export function conditionText({ test }: Pick<Condition, 'test'>, names: Names): string {
  switch (test.of) {
    case 'any':
      return t('Qualquer resposta')
    case 'answer':
      return `${short[test.comparison]}${empty(test.values.join(', '))}`
    case 'variable':
      return `${test.name || '?'}: ${short[test.comparison]}${empty(test.values.join(', '))}`
    case 'hours':
      return test.isOpen ? t('Dentro do horário') : t('Fora do horário')
    case 'channel':
      return t('Canal {types}', { types: empty(test.types.join(', ')) })
    case 'tags':
      return t('Etiqueta {name}', { name: empty(test.tagIds.map((id) => nameIn(names.tags, id)).join(', ')) })
    case 'assistant':
      return test.exits.length === 0 ? t('(vazio)') : test.exits.map((exit) => exitTexts[exit]).join(', ')
  }
}

const distributions: Record<DistributionMode, string> = {
  N: t('Espera uma pessoa'),
  R: t('Auto: aleatória'),
  B: t('Auto: balanceada'),
  S: t('Auto: sequencial'),
}

/** Returns name, detail and icon of a destination outside of the flow. */
export function endOf(
  action: Action,
  names: Names,
  distribution: DistributionMode = 'N',
): { title: string; text: string; icon: Icon } {
  switch (action.to) {
    case 'queue':
      return {
        title: t('Fila {name}', { name: nameIn(names.queues, action.queueId) }),
        text: distributions[distribution],
        icon: QueuesIcon,
      }
    case 'user':
      return { title: nameIn(names.users, action.userId), text: t('Fica com esta pessoa'), icon: PersonIcon }
    case 'channel':
      return {
        title: t('Canal {name}', { name: nameIn(names.connections, action.connectionId) }),
        text: t('Continua em outro canal'),
        icon: SignalIcon,
      }
    case 'close':
      return { title: t('Encerrar'), text: action.text ? `“${action.text}”` : t('Sem mensagem'), icon: CheckIcon }
    case 'node':
      return { title: t('Etapa'), text: action.nodeId, icon: FlowIcon }
  }
}

/** Renders a text with its variables highlighted. */
export function withVariables(text: string): ReactNode {
  return text.split(/\{\{([^{}]{1,80})\}\}/).map((part, index) =>
    index % 2 === 1 ? (
      <b key={index} className={css.variable}>
        {part.trim()}
      </b>
    ) : (
      part
    ),
  )
}

/** Formats the numbers of errors and warnings. */
export function problemsText(problems: readonly { level: 'error' | 'warning' }[]): string {
  const errors = problems.filter(({ level }) => level === 'error').length
  const warnings = problems.length - errors
  return [
    ...(errors > 0 ? [plural(errors, t('erro'), t('erros'))] : []),
    ...(warnings > 0 ? [plural(warnings, t('aviso'), t('avisos'))] : []),
  ].join(', ')
}
