import type { ListedSpec, TableSpec } from '#kit/resource.ts'

/** The rows of queues: what their lists, filters and statements are drawn from. */
export const queueTable = {
  table: 'queues',
  title: 'Filas',
  singular: 'Fila',
  gender: 'f',
  fields: {
    queue: { label: 'Nome da Fila', kind: 'text', required: true, max: 60 },
    color: { label: 'Cor', kind: 'color', default: '#3874B6' },
    isActive: {
      label: 'Ativo',
      kind: 'boolean',
      column: 'is_active',
      default: true,
      filter: true,
      hint: 'Desligada, não recebe atendimentos por transferência.',
    },
    businessHours: {
      label: 'Horário próprio',
      kind: 'week',
      column: 'business_hours',
      hint: 'Vale no lugar do horário da empresa para quem escreve a esta fila.',
    },
    messageBusinessHours: {
      label: 'Mensagem de Ausência',
      kind: 'longtext',
      column: 'message_business_hours',
      max: 1000,
      hint: 'Enviada a quem escreve fora do horário. Vazia, vale a da empresa.',
    },
  },
  search: ['queue'],
  order: 'queue',
} as const satisfies TableSpec & ListedSpec
