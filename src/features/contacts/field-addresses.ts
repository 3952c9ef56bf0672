import { tableAddresses } from '#kit/addresses.ts'

/** Names of the resource of custom contact fields. */
export const contactFieldTable = {
  name: 'contactFields',
  path: '/contact-fields',
  can: { read: 'contactFields:read', write: 'contactFields:write' },
} as const

/** Routes of `contactFields`. */
export const contactFields = tableAddresses(contactFieldTable)
