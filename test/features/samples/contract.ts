import { contract } from '#kit/contract.ts'
import { done } from '#kit/fields.ts'
import * as at from './addresses.ts'

/** Operations on samples besides storing them. */
export const sampleUse = contract(at.sampleUse, {
  take: {
    summary: 'Usar uma amostra',
    returns: done,
    errors: ['ERR_NO_SAMPLE_FOUND', 'ERR_SAMPLE_USED_UP'],
  },
})

declare module '#kit/contract.ts' {
  interface Contracts {
    sampleUse: typeof sampleUse
  }
}
