import { keysIn } from '../keys.ts'

/** Event types of endpoints, with their display names. */
export const EVENT_TYPES = {
  'message.created': 'Mensagem recebida ou enviada',
  'message.updated': 'Mensagem alterada, ou reação',
  'message.deleted': 'Mensagem apagada',
  'message.status': 'Entrega e leitura de uma mensagem',
  'ticket.created': 'Atendimento iniciado',
  'ticket.updated': 'Atendimento atendido, transferido ou alterado',
  'ticket.closed': 'Atendimento resolvido',
  'contact.created': 'Contato criado',
  'contact.updated': 'Contato alterado',
  'contact.deleted': 'Contato excluído',
  'opportunity.created': 'Oportunidade criada',
  'opportunity.updated': 'Oportunidade alterada',
  'opportunity.stage': 'Oportunidade em outra etapa',
  'opportunity.won': 'Oportunidade ganha',
  'opportunity.lost': 'Oportunidade perdida',
  'opportunity.deleted': 'Oportunidade excluída',
  'user.created': 'Usuário criado',
  'user.updated': 'Usuário alterado',
  'user.deleted': 'Usuário excluído',
  'channel.created': 'Canal criado',
  'channel.updated': 'Canal conectado, desconectado ou alterado',
  'channel.deleted': 'Canal excluído',
  'rating.created': 'Nota de um cliente',
  'api.created': 'Chave da API criada',
  'api.updated': 'Chave da API alterada ou excluída',
  'api.renewed': 'Token da API renovado',
} as const

/** Type of an event. */
export type EventType = keyof typeof EVENT_TYPES

/** Type of the test event; it cannot be subscribed to. */
export const TEST_TYPE = 'endpoint.test'

/** Event types in display order. */
export const eventTypes = keysIn(EVENT_TYPES)

const families = [...new Set(eventTypes.map(familyOf))]

function familyOf(type: string): string {
  return `${type.split('.')[0]}.*`
}

/** Whether a text is a valid subscription: a type, a family (`ticket.*`), or everything (`*`). */
export const isSubscription = (pattern: string): boolean =>
  pattern === '*' || families.includes(pattern) || Object.hasOwn(EVENT_TYPES, pattern)

/** Whether a subscription takes events of a type. */
export const takes = (patterns: readonly string[], type: EventType): boolean =>
  patterns.includes('*') || patterns.includes(type) || patterns.includes(familyOf(type))

/** Connection and queue of an event; null: none, undefined: not applicable. */
export type Scope = { readonly connectionId?: number | undefined; readonly queueId?: number | null | undefined }

/** Subscriptions and filters of an endpoint. */
export type Wanted = {
  readonly events: readonly string[]
  /** Empty: all. */
  readonly connectionIds: readonly number[]
  readonly queueIds: readonly number[]
}

/** Whether an endpoint receives an event; events without connection or queue pass those filters. */
export const isWanted = (
  { events, connectionIds, queueIds }: Wanted,
  type: EventType,
  { connectionId, queueId }: Scope,
): boolean =>
  takes(events, type) &&
  (connectionIds.length === 0 || connectionId === undefined || connectionIds.includes(connectionId)) &&
  (queueIds.length === 0 || queueId === undefined || (queueId !== null && queueIds.includes(queueId)))

/** Event types of each legacy setting (product facts 8.4). */
export const SETTING_EVENTS: Readonly<Record<string, readonly EventType[]>> = {
  webhookMessage: ['message.created', 'message.status', 'ticket.created', 'ticket.updated', 'ticket.closed'],
  webhookCreateChannel: ['channel.created'],
  webhookUpdateChannel: ['channel.updated', 'channel.deleted'],
  webhookCreateUser: ['user.created', 'contact.created'],
  webhookCreateApi: ['api.created'],
  webhookUpdateApi: ['api.updated'],
  webhookRenewApi: ['api.renewed'],
  webhookUpdateUser: ['user.updated', 'user.deleted', 'contact.updated', 'contact.deleted'],
}
