import { contract } from '#kit/contract.ts'
import { done, idParams } from '#kit/fields.ts'

/** What is done with samples beside keeping them. */
export const sampleUse = contract('sampleUse', {
  take: {
    method: 'POST',
    path: '/samples/:id/take',
    summary: 'Usar uma amostra',
    can: 'samples:write',
    params: idParams,
    returns: done,
    errors: ['ERR_NO_SAMPLE_FOUND', 'ERR_SAMPLE_USED_UP'],
    touches: ['samples'],
  },
})
