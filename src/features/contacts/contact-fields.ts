import { ownFieldTable } from '#kit/own-fields.ts'
import { resource } from '#kit/resource.ts'
import { contactFieldTable } from './field-addresses.ts'

/** API contract of custom contact fields, in the order of forms. */
export const contactFields = resource({
  ...contactFieldTable,
  table: 'contact_fields',
  title: 'Campos de contatos',
  singular: 'Campo',
  gender: 'm',
  fields: ownFieldTable({ required: 'Obrigatório no cadastro', inList: 'Coluna na lista de contatos' }),
  search: ['name'],
  order: 'position',
  notFound: 'ERR_NO_CONTACT_FIELD_FOUND',
  inUse: 'ERR_CONTACT_FIELD_USED',
})

declare module '#kit/contract.ts' {
  interface Contracts {
    contactFields: (typeof contactFields)['ops']
  }
}
