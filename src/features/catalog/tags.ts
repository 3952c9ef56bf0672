import { z } from 'zod'
import { contract } from '#kit/contract.ts'
import { done, id } from '#kit/fields.ts'
import { resource } from '#kit/resource.ts'
import { tagTable } from './addresses.ts'
import * as uses from './uses-addresses.ts'

/** Resource of tags on contacts and tickets. */
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

/** API contract of tags' use counts and of merging tags. */
export const tagUses = contract(uses.tagUses, {
  list: {
    summary: 'Em quantos contatos e atendimentos cada etiqueta está; as que não aparecem não estão em nenhum',
    returns: z.object({
      uses: z.array(z.object({ id: z.number().int(), contacts: z.number().int(), tickets: z.number().int() })),
    }),
  },
  merge: {
    summary:
      'Juntar uma etiqueta em outra: contatos, atendimentos, listas, macros, automações e chatbots passam para ela',
    body: z.strictObject({ into: id }),
    returns: done,
    errors: ['ERR_NO_TAG_FOUND'],
    audit: true,
  },
})

declare module '#kit/contract.ts' {
  interface Contracts {
    tags: (typeof tags)['ops']
    tagUses: typeof tagUses
  }
}
