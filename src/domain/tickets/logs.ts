import type { DistributionMode, Refused } from '../distribution/distribute.ts'
import type { TicketStatus } from './facts.ts'

/** Portuguese labels of all log line types. */
export const TICKET_LOG_LABELS = {
  access: 'Acessou o ticket',
  create: 'Ticket criado',
  open: 'Iniciou o atendimento',
  pending: 'Retornou atendimento para fila de pendentes',
  closed: 'Resolveu o ticket',
  transfered: 'Transferiu o atendimento',
  receivedTransfer: 'Recebeu o atendimento por transferência',
  queue: 'Bot: Fila definida',
  userDefine: 'Bot: Usuário definido',
  retriesLimitQueue: 'Bot: Fila definida (limite de tentativas)',
  retriesLimitUserDefine: 'Bot: Usuário definido (limite de tentativas)',
  chatBot: 'ChatBot iniciado',
  autoClose: 'Bot: Atendimento fechado pelo cliente',
  connectionRemoved: 'Resolvido porque o canal foi removido',
  delete: 'Deletou o Ticket',
  pause: 'Pausou o atendimento',
  resume: 'Retomou o atendimento',
  channel: 'Mudou o canal do atendimento',
  force: 'Forçou a mudança do atendimento',
  undo: 'Desfez a última mudança',
  snooze: 'Adiou o atendimento',
  wake: 'O atendimento voltou à lista',
  pin: 'Fixou uma mensagem',
  unpin: 'Desafixou uma mensagem',
  distributed: 'Distribuído para',
  overflow: 'Passou à fila por transbordo',
  ownerAway: 'Voltou à fila: o responsável se ausentou',
  assistantOn: 'Integração externa: assistente ligado',
  assistantOff: 'Integração externa: assistente desligado',
  assistantFailed: 'Integração externa: o assistente não respondeu',
  merged: 'Unificado com outro atendimento da mesma pessoa',
  parted: 'Separado: a mescla dos contatos foi desfeita',
} as const

/** Type of a log line, as stored and sent (the wire spells `transfered`). */
export type TicketLogType = keyof typeof TICKET_LOG_LABELS

/** Line of a ticket's log: its type, the affected user (null: a timer), and the queue of the ticket at that time. */
export type TicketLog = {
  readonly type: TicketLogType
  readonly userId: number | null
  readonly queueId: number | null
  readonly data?: LogData
}

/**
 * Details of a log line: reason of a pause, end of a snooze (ISO), the rule that assigned it and the reasons against other
 * agents, and the resulting state if the type does not imply it.
 */
export type LogData = {
  readonly reason?: string
  readonly until?: string
  readonly distribution?: { readonly mode: DistributionMode; readonly refused: Refused }
  readonly to?: { readonly status: TicketStatus; readonly userId: number | null }
}
