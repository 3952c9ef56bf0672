import { checkField, type OwnFieldTables } from '#server/own-fields.ts'
import { mountResource } from '#server/resource.ts'
import { opportunityFields } from '../opportunity-fields.ts'

/** Tables of custom opportunity fields. */
export const cardFieldTables: OwnFieldTables = {
  fields: 'opportunity_fields',
  values: 'opportunity_field_values',
  owner: 'opportunity_id',
}

/** Route handlers of custom opportunity fields. */
export const fieldRoutes = mountResource(opportunityFields, {
  beforeWrite: (ctx, write) =>
    checkField(ctx, write, {
      tables: cardFieldTables,
      tooMany: 'ERR_MAX_OPPORTUNITY_FIELDS',
      typeInUse: 'Há oportunidades com este campo preenchido: o tipo fica como está.',
    }),
})
