import { z } from 'zod'
import { DISTRIBUTION_MODES } from '#domain/distribution/distribute.ts'
import { keysIn } from '#domain/keys.ts'
import { contract } from '#kit/contract.ts'
import { id, isoTime } from '#kit/fields.ts'
import * as at from './addresses.ts'

const mode = z.enum(keysIn(DISTRIBUTION_MODES))
const named = z.object({ id: z.number().int(), name: z.string() })
const ms = z.number().int().nullable()

/** A day played again: times in ms, null where nothing was given; who would have got how many, the most first. */
const outcome = z.object({
  arrivals: z.number().int(),
  given: z.number().int(),
  overflowed: z.number().int(),
  meanWaitMs: ms,
  longestWaitMs: ms,
  people: z.array(named.extend({ given: z.number().int() })),
})

/** How tickets are given to people by rules. */
export const distribution = contract(at.distribution, {
  why: {
    summary: 'Por que o atendimento veio para quem o tem, ou por que ninguém o tem: cada pessoa da fila, com o motivo',
    returns: z.object({
      /**
       * `given` by rules; `taken` by a person or a flow; `waiting`; `now`: it is about to be given; `later`: too many wait
       * before it; `off`: nothing is distributed there; or what is not distributed: `kept` by its owner, `bot`, `snoozed`,
       * `group`, `closed`.
       */
      state: z.enum([
        ...(['given', 'taken', 'waiting', 'now', 'later', 'off', 'kept', 'bot', 'snoozed', 'group', 'closed'] as const),
      ]),
      mode: mode.nullable(),
      /** Time and user of the assignment. */
      at: isoTime.nullable(),
      user: named.nullable(),
      /** Who else works in its queue (without a queue: on its connection), and why they did not get it. */
      people: z.array(named.extend({ reason: z.enum(['offline', 'paused', 'hours', 'wallet', 'full', 'turn']) })),
      /** To which queue it goes unless it is given before, and when. */
      overflow: z.object({ queue: z.string(), at: isoTime }).nullable(),
    }),
    errors: ['ERR_NO_TICKET_FOUND'],
  },
  tryRules: {
    summary: 'O que outra distribuição de uma fila teria feito com as chegadas de ontem; nada é guardado',
    body: z.strictObject({
      queueId: id,
      /** Null: as the company has it. */
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
