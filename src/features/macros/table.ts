import type { ListedSpec, TableSpec } from '#kit/resource.ts'

/** Whose macros are: everybody's, those of who works in a queue, or one person's own. */
export const AUDIENCES = {
  company: 'Toda a empresa',
  queue: 'Quem atende uma fila',
  person: 'Só eu',
} as const

/** The rows of macros: what their list, filters and statements are drawn from. */
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
