import { resource } from '#kit/resource.ts'
import { tagTable } from './addresses.ts'

/** Tags of contacts and tickets. */
export const tags = resource({
  ...tagTable,
  table: 'tags',
  title: 'Etiquetas',
  singular: 'Etiqueta',
  gender: 'f',
  fields: {
    tag: { label: 'Nome da Etiqueta', kind: 'text', required: true, max: 40 },
    color: { label: 'Cor', kind: 'color', default: '#3874B6' },
    isActive: {
      label: 'Ativo',
      kind: 'boolean',
      column: 'is_active',
      default: true,
      filter: true,
    },
  },
  search: ['tag'],
  order: 'tag',
  notFound: 'ERR_NO_TAG_FOUND',
  inUse: 'ERR_TAG_CONTACTS_EXISTS',
})

declare module '#kit/contract.ts' {
  interface Contracts {
    tags: (typeof tags)['ops']
  }
}
