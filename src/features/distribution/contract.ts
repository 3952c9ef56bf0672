import { z } from 'zod'
import { DISTRIBUTION_MODES } from '#domain/distribution/distribute.ts'
import { keysIn } from '#domain/keys.ts'
import { contract } from '#kit/contract.ts'
import { id, isoTime } from '#kit/fields.ts'
import * as at from './addresses.ts'

const mode = z.enum(keysIn(DISTRIBUTION_MODES))
const named = z.object({ id: z.number().int(), name: z.string() })
const ms = z.number().int().nullable()

/** Schema of a replayed day's result: times in ms, null if nothing was assigned; tickets per agent, highest first. */
const outcome = z.object({
  arrivals: z.number().int(),
  given: z.number().int(),
  overflowed: z.number().int(),
  meanWaitMs: ms,
  longestWaitMs: ms,
  people: z.array(named.extend({ given: z.number().int() })),
})

/** API contract of automatic ticket assignment. */
export const distribution = contract(at.distribution, {
  why: {
    summary: 'Por que o atendimento veio para quem o tem, ou por que ninguém o tem: cada pessoa da fila, com o motivo',
    returns: z.object({
      /**
       * State of the assignment. `given` automatically; `taken` by an agent or flow; `waiting`; `now`: about to be assigned;
       * `later`: too many are before it; `off`: distribution is disabled; or excluded: `kept` by its agent, `bot`,
       * `snoozed`, `group`, `closed`.
       */
      state: z.enum([
        ...(['given', 'taken', 'waiting', 'now', 'later', 'off', 'kept', 'bot', 'snoozed', 'group', 'closed'] as const),
      ]),
      mode: mode.nullable(),
      /** Time and user of the assignment. */
      at: isoTime.nullable(),
      user: named.nullable(),
      /** Other agents of the queue (without a queue: of the connection), and the reasons why they did not get it. */
      people: z.array(named.extend({ reason: z.enum(['offline', 'paused', 'hours', 'wallet', 'full', 'turn']) })),
      /** Queue and time of the overflow, unless assigned before. */
      overflow: z.object({ queue: z.string(), at: isoTime }).nullable(),
    }),
    errors: ['ERR_NO_TICKET_FOUND'],
  },
  tryRules: {
    summary: 'O que outra distribuição de uma fila teria feito com as chegadas de ontem; nada é guardado',
    body: z.strictObject({
      queueId: id,
      /** Null: the company's mode. */
      distribution: mode.nullable(),
      overflowQueueId: id.nullable(),
      overflowMinutes: z.number().int().min(1).max(1440).nullable(),
    }),
    returns: z.object({ day: z.iso.date(), now: outcome, changed: outcome }),
    errors: ['ERR_NO_QUEUE_FOUND'],
  },
})

declare module '#kit/contract.ts' {
  interface Contracts {
    distribution: typeof distribution
  }
}
