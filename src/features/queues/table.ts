import type { TableSpec } from '#kit/resource.ts'

/** The rows of queues: what their lists, filters and statements are drawn from. */
export const queueTable = {
  table: 'queues',
  fields: {
    queue: { label: 'Nome da Fila', kind: 'text', required: true, max: 60 },
    color: { label: 'Cor', kind: 'color', default: '#3874B6' },
    isActive: { label: 'Ativo', kind: 'boolean', column: 'is_active', default: true, filter: true },
    businessHours: { label: 'Horário próprio', kind: 'week', column: 'business_hours' },
    messageBusinessHours: {
      label: 'Mensagem de Ausência',
      kind: 'longtext',
      column: 'message_business_hours',
      max: 1000,
    },
  },
  search: ['queue'],
  order: 'queue',
} as const satisfies TableSpec
