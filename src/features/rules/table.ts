import type { ListedSpec, TableSpec } from '#kit/resource.ts'

/** Display names of the events that trigger rules. */
export const EVENTS = {
  opened: 'Um atendimento começa',
  received: 'O cliente escreve',
  sent: 'A equipe responde',
  assigned: 'Um atendimento ganha responsável',
  closed: 'Um atendimento é resolvido',
} as const

/** Table definition of rules, from which list, filters and SQL are derived. */
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
