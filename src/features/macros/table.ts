import type { ListedSpec, TableSpec } from '#kit/resource.ts'

/** Audiences of macros: everyone, the agents of a queue, or one user. */
export const AUDIENCES = {
  company: 'Toda a empresa',
  queue: 'Quem atende uma fila',
  person: 'Só eu',
} as const

/** Table definition of macros, from which list, filters and SQL are derived. */
export const macroTable = {
  table: 'macros',
  title: 'Macros',
  singular: 'Macro',
  gender: 'f',
  fields: {
    name: { label: 'Nome', kind: 'text', required: true, max: 60 },
    color: { label: 'Cor', kind: 'color', default: '#3874B6' },
    audience: {
      label: 'Quem usa',
      kind: 'choice',
      options: AUDIENCES,
      required: true,
      default: 'company',
      filter: true,
    },
  },
  search: ['name'],
  order: 'name',
} as const satisfies TableSpec & ListedSpec
