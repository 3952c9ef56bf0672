import { tableAddresses } from '#kit/addresses.ts'

/** What the company's own fields on contacts are called by. */
export const contactFieldTable = {
  name: 'contactFields',
  path: '/contact-fields',
  can: { read: 'contactFields:read', write: 'contactFields:write' },
} as const

/** The addresses of `contactFields`. */
export const contactFields = tableAddresses(contactFieldTable)
