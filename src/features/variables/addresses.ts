import { addresses, tableAddresses } from '#kit/addresses.ts'

/** API routes of `variables`. */
export const variables = addresses('variables', {
  list: { method: 'GET', path: '/variables', can: 'variables:read' },
  uses: { method: 'GET', path: '/variables/uses', can: 'variables:write' },
})

/** Name, path and permissions of the table of constants. */
export const constantTable = {
  name: 'constants',
  path: '/constants',
  can: { read: 'variables:read', write: 'variables:write' },
} as const

/** API routes of `constants`. */
export const constants = tableAddresses(constantTable)
