import type { ListedSpec, TableSpec } from '#kit/resource.ts'

/** What rules answer to, as people call it. */
export const EVENTS = {
  opened: 'Um atendimento começa',
  received: 'O cliente escreve',
  sent: 'A equipe responde',
  assigned: 'Um atendimento ganha responsável',
  closed: 'Um atendimento é resolvido',
} as const

/** The rows of rules: what their list, filters and statements are drawn from. */
export const ruleTable = {
  table: 'rules',
  title: 'Automações',
  singular: 'Automação',
  gender: 'f',
  fields: {
    position: { label: 'Ordem', kind: 'order' },
    name: { label: 'Nome', kind: 'text', required: true, max: 60 },
    event: { label: 'Quando', kind: 'choice', options: EVENTS, required: true, default: 'received', filter: true },
    isActive: { label: 'Ligada', kind: 'boolean', default: false, column: 'is_active' },
    match: {
      label: 'Condições',
      kind: 'choice',
      options: { all: 'Todas', any: 'Alguma' },
      required: true,
      default: 'all',
    },
  },
  search: ['name'],
  order: 'position',
} as const satisfies TableSpec & ListedSpec
