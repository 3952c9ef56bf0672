import { addresses, type TableAddress } from '#kit/addresses.ts'

/** Address of the table of samples. */
export const sampleTable = {
  name: 'samples',
  path: '/samples',
  can: { read: 'samples:read', write: 'samples:write' },
} as const satisfies TableAddress

/** The addresses of `sampleUse`. */
export const sampleUse = addresses('sampleUse', {
  take: { method: 'POST', path: '/samples/:id/take', can: 'samples:write', touches: ['samples'] },
})
