import { tableAddresses } from '#kit/addresses.ts'

/** Names of the resource of custom opportunity fields. */
export const opportunityFieldTable = {
  name: 'opportunityFields',
  path: '/opportunity-fields',
  can: { read: 'funnel:read', write: 'pipelines:write' },
} as const

/** Routes of `opportunityFields`. */
export const opportunityFields = tableAddresses(opportunityFieldTable)
