import { z } from 'zod'
import { contract } from '#kit/contract.ts'
import { isoTime } from '#kit/fields.ts'
import * as at from './addresses.ts'

const count = z.number().int()

/** What an attack on the running installation found. */
export const isolationResult = z.object({
  at: isoTime,
  by: z.string(),
  ms: count,
  companies: count,
  tables: count,
  operations: count,
  /** How often something of another company was asked for. */
  probes: count,
  /** Reading operations that were left out, because they reach beyond the database. */
  skipped: count,
  /** Whether all of it was tried within the time. */
  isComplete: z.boolean(),
  /** What showed something of another company, a sentence each; nothing of the data itself. */
  leaks: z.array(z.string()),
})

/** What an attack found. */
export type IsolationResult = z.output<typeof isolationResult>

/** The walls between companies, tried on the running installation. */
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
