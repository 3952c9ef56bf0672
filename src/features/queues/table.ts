import { DISTRIBUTION_MODES } from '#domain/distribution/distribute.ts'
import { TEMPLATE_VARIABLES } from '#domain/messages/template.ts'
import { AUTO_CLOSE_RULES, AUTO_CLOSE_TIMES } from '#domain/tickets/auto-close.ts'
import type { ListedSpec, TableSpec } from '#kit/resource.ts'
import { queues } from './addresses.ts'

/** Table definition of queues, from which lists, filters and SQL are derived. */
export const queueTable = {
  table: 'queues',
  title: 'Filas',
  singular: 'Fila',
  gender: 'f',
  fields: {
    queue: { label: 'Nome da Fila', kind: 'text', required: true, max: 60 },
    color: { label: 'Cor', kind: 'color', default: '#3874B6' },
    isActive: {
      label: 'Ativa',
      kind: 'boolean',
      column: 'is_active',
      default: true,
      filter: true,
      hint: 'Inativa, não recebe atendimentos por transferência.',
    },
    businessHours: {
      label: 'Horário próprio',
      kind: 'week',
      column: 'business_hours',
      hint: 'Vale no lugar do horário da empresa para quem escreve a esta fila.',
    },
    messageBusinessHours: {
      label: 'Mensagem de Ausência',
      kind: 'template',
      column: 'message_business_hours',
      max: 1000,
      variables: TEMPLATE_VARIABLES,
      hint: 'Enviada a quem escreve fora do horário. Em branco, vale a da empresa.',
    },
    autoClose: {
      label: 'Resolver conversas paradas',
      kind: 'choice',
      column: 'auto_close',
      options: AUTO_CLOSE_RULES,
      required: true,
      default: 'company',
      hint: 'Sem resposta do cliente; quem espera por nós, e o que está pausado ou adiado, fica.',
    },
    autoCloseTime: {
      label: 'Depois de',
      kind: 'choice',
      column: 'auto_close_time',
      options: AUTO_CLOSE_TIMES,
      required: true,
      default: '1440',
    },
    autoCloseMessage: {
      label: 'Mensagem de encerramento',
      kind: 'template',
      column: 'auto_close_message',
      max: 1000,
      variables: TEMPLATE_VARIABLES,
      hint: 'Enviada ao cliente ao resolver. Em branco, vale a da empresa.',
    },
    distribution: {
      label: 'Distribuição',
      kind: 'choice',
      options: DISTRIBUTION_MODES,
      hint: 'Como distribuir entre as pessoas da fila. Em branco, vale a regra da empresa.',
    },
    overflowQueueId: {
      label: 'Transborda para',
      kind: 'reference',
      column: 'overflow_queue_id',
      to: { table: 'queues', list: queues.list, name: 'queue' },
      hint: 'Quando ninguém da fila está online, ou depois do tempo abaixo; a cada fila uma vez por espera.',
    },
    overflowMinutes: {
      label: 'Transborda depois de (minutos)',
      kind: 'number',
      column: 'overflow_minutes',
      whole: true,
      min: 1,
      max: 1440,
      hint: 'Em branco, só quando ninguém está online.',
    },
  },
  search: ['queue'],
  order: 'queue',
} as const satisfies TableSpec & ListedSpec
