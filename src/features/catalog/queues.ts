import { resource } from '#kit/resource.ts'

/** Queues: where tickets wait, and what agents are given. */
export const queues = resource({
  name: 'queues',
  path: '/queue',
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
    },
  },
  search: ['queue'],
  order: 'queue',
  can: { read: 'queues:read', write: 'queues:write' },
  notFound: 'ERR_NO_QUEUE_FOUND',
  inUse: 'ERR_QUEUE_TICKET_EXISTS',
})
