import { resource } from '#kit/resource.ts'
import { stageTable } from './addresses.ts'

/** Resource of kanban stages, in the order of the board's columns. */
export const stages = resource({
  ...stageTable,
  table: 'stages',
  title: 'Etapas do Kanban',
  singular: 'Etapa',
  gender: 'f',
  fields: {
    name: { label: 'Nome da etapa', kind: 'text', required: true, max: 40 },
    color: { label: 'Cor', kind: 'color', default: '#3874B6' },
    position: { label: 'Posição', kind: 'order' },
  },
  search: ['name'],
  order: 'position',
  notFound: 'ERR_NO_KANBAN_FOUND',
  inUse: 'ERR_KANBAN_CONTACTS_EXISTS',
})

declare module '#kit/contract.ts' {
  interface Contracts {
    stages: (typeof stages)['ops']
  }
}
