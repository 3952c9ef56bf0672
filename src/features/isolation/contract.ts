import { z } from 'zod'
import { contract } from '#kit/contract.ts'
import { isoTime } from '#kit/fields.ts'
import * as at from './addresses.ts'

const count = z.number().int()

/** Schema of an isolation check's result. */
export const isolationResult = z.object({
  at: isoTime,
  by: z.string(),
  ms: count,
  companies: count,
  tables: count,
  operations: count,
  /** Number of requests for another company's data. */
  probes: count,
  /** Read operations that were skipped, because they access more than the database. */
  skipped: count,
  /** Whether all of it was tried within the time. */
  isComplete: z.boolean(),
  /** Operations that returned another company's data, one sentence each, without the data. */
  leaks: z.array(z.string()),
})

/** Result of an isolation check. */
export type IsolationResult = z.output<typeof isolationResult>

/** API contract of isolation checks between companies on the running installation. */
export const isolation = contract(at.isolation, {
  last: {
    summary: 'Isolamento entre empresas: o último ataque de prova',
    mode: 'slow',
    returns: z.object({ last: isolationResult.nullable() }),
  },
  run: {
    summary: 'Isolamento entre empresas: atacar a instalação em uso, só com leituras',
    mode: 'slow',
    returns: isolationResult,
    errors: ['ERR_IN_PROGRESS'],
    audit: true,
  },
})

declare module '#kit/contract.ts' {
  interface Contracts {
    isolation: typeof isolation
  }
}
