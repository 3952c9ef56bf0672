import { tableAddresses } from '#kit/addresses.ts'

/** What the company's own fields on opportunities are called by. */
export const opportunityFieldTable = {
  name: 'opportunityFields',
  path: '/opportunity-fields',
  can: { read: 'funnel:read', write: 'pipelines:write' },
} as const

/** The addresses of `opportunityFields`. */
export const opportunityFields = tableAddresses(opportunityFieldTable)
