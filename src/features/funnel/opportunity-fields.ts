import { ownFieldTable } from '#kit/own-fields.ts'
import { resource } from '#kit/resource.ts'
import { opportunityFieldTable } from './field-addresses.ts'

/** API contract of custom opportunity fields, in the order of forms. */
export const opportunityFields = resource({
  ...opportunityFieldTable,
  table: 'opportunity_fields',
  title: 'Campos de oportunidades',
  singular: 'Campo',
  gender: 'm',
  fields: ownFieldTable({ required: 'Obrigatório em novas oportunidades', inList: 'Mostrar no cartão' }),
  search: ['name'],
  order: 'position',
  notFound: 'ERR_NO_OPPORTUNITY_FIELD_FOUND',
  inUse: 'ERR_OPPORTUNITY_FIELD_USED',
})

declare module '#kit/contract.ts' {
  interface Contracts {
    opportunityFields: (typeof opportunityFields)['ops']
  }
}
