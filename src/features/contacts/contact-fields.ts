import { resource } from '#kit/resource.ts'
import { contactFieldTable } from './field-addresses.ts'

/** Fields of a company's own on its contacts, in the order of forms. */
export const contactFields = resource({
  ...contactFieldTable,
  table: 'contact_fields',
  title: 'Campos de contatos',
  singular: 'Campo',
  gender: 'm',
  fields: {
    name: { label: 'Nome do campo', kind: 'text', required: true, max: 60 },
    type: {
      label: 'Tipo',
      kind: 'choice',
      required: true,
      default: 'text',
      options: { text: 'Texto', number: 'Número', date: 'Data', choice: 'Escolha', boolean: 'Sim ou não' },
    },
    options: { label: 'Opções', hint: 'Uma por linha; só para o tipo Escolha.', kind: 'longtext', inList: false },
    required: { label: 'Obrigatório no cadastro', kind: 'boolean', default: false, inList: true },
    inList: { label: 'Coluna na lista de contatos', kind: 'boolean', default: true, column: 'in_list', inList: true },
    position: { label: 'Posição', kind: 'order', inList: true },
  },
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
