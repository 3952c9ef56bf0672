import { tags } from '#features/catalog/addresses.ts'
import { resource } from '#kit/resource.ts'
import { sampleTable } from './addresses.ts'

/** A plain table as docs/recipes/add-a-plain-table.md adds one. */
export const samples = resource({
  ...sampleTable,
  table: 'samples',
  title: 'Amostras',
  singular: 'Amostra',
  gender: 'f',
  fields: {
    name: { label: 'Nome', kind: 'text', required: true, max: 60 },
    position: { label: 'Ordem', kind: 'order' },
    amount: { label: 'Quantidade', kind: 'number', whole: true, min: 0, filter: true },
    price: { label: 'Preço', kind: 'money', filter: true },
    state: { label: 'Situação', kind: 'choice', options: { novo: 'Novo', usado: 'Usado' }, filter: true },
    tagId: {
      label: 'Etiqueta',
      kind: 'reference',
      column: 'tag_id',
      to: { table: 'tags', list: tags.list, name: 'tag' },
      filter: true,
    },
    due: { label: 'Prazo', kind: 'date', filter: true },
    isActive: { label: 'Ativo', kind: 'boolean', column: 'is_active', default: true, filter: true },
  },
  search: ['name'],
  order: 'position',
  notFound: 'ERR_NO_SAMPLE_FOUND',
})

declare module '#kit/contract.ts' {
  interface Contracts {
    samples: (typeof samples)['ops']
  }
}
