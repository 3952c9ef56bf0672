import type { ListedSpec, TableSpec } from '#kit/resource.ts'

/** Table definition of teams, from which lists, filters, form and SQL are derived. */
export const teamTable = {
  table: 'teams',
  title: 'Equipes',
  singular: 'Equipe',
  gender: 'f',
  fields: {
    group: { label: 'Nome da Equipe', kind: 'text', column: 'name', required: true, max: 60 },
    isActive: {
      label: 'Ativa',
      kind: 'boolean',
      column: 'is_active',
      default: true,
      filter: true,
      hint: 'Desligada, some para quem faz parte dela.',
    },
  },
  search: ['group'],
  order: 'group',
} as const satisfies TableSpec & ListedSpec
