import { z } from 'zod'
import { maskName } from '#domain/access/restricted.ts'
import { STEP_CAUSES } from '#domain/flow/session.ts'
import { contract } from '#kit/contract.ts'
import { epochMs, moment, pageQuery } from '#kit/fields.ts'
import { hidden } from '#kit/hidden.ts'
import * as at from './insight-addresses.ts'

/** How a conversation left a step: by a condition, for a cause without one, elsewhere (back to the start, to another flow), or not yet. */
export const WAYS = ['branch', ...STEP_CAUSES, 'other', 'here'] as const

const period = {
  /** The published version; the one that conversations follow now where none is named. */
  version: z.coerce.number<number | string>().int().positive().max(2_147_483_647).optional(),
  /** When the conversations began, from and before; the last 30 days where nothing is named. */
  from: moment.optional(),
  to: moment.optional(),
}

/** Where conversations went through a published flow. */
export const flowStats = contract(at.flowStats, {
  get: {
    summary: 'Por onde as conversas passaram num chatbot, onde pararam e quanto demoraram',
    query: z.object(period),
    returns: z.object({
      /** Null: nothing is published yet. */
      version: z.number().int().nullable(),
      from: epochMs,
      to: epochMs,
      conversations: z.number().int(),
      /** Whether there were more: then the newest are counted. */
      isCapped: z.boolean(),
      steps: z.array(
        z.object({
          nodeId: z.string(),
          visits: z.number().int(),
          /** Between coming to the step and leaving it; null: nobody has left it. */
          medianMs: z.number().int().nullable(),
          /** How they left it; `index` is the condition's, as they are written. */
          ways: z.array(z.object({ way: z.enum(WAYS), index: z.number().int().nullable(), count: z.number().int() })),
        }),
      ),
    }),
    errors: ['ERR_NO_CHAT_FLOW_FOUND', 'ERR_NO_FLOW_VERSION_FOUND'],
  },
  conversations: {
    summary:
      'As conversas que passaram por uma etapa de um chatbot, só as ao alcance de quem pede, da última à primeira',
    query: pageQuery.extend({
      ...period,
      nodeId: z.string().max(200),
      /** All visits where none is named. */
      way: z.enum(WAYS).optional(),
      index: z.coerce.number<number | string>().int().min(0).max(10_000).optional(),
    }),
    returns: z.object({
      conversations: z.array(
        z.object({
          ticketId: z.number().int(),
          contactName: hidden(z.string(), maskName),
          status: z.string(),
          /** When it came to the step. */
          at: epochMs,
        }),
      ),
      hasMore: z.boolean(),
      nextCursor: z.string().nullable(),
    }),
    errors: ['ERR_NO_CHAT_FLOW_FOUND', 'ERR_NO_FLOW_VERSION_FOUND', 'ERR_PAGE_TOO_FAR'],
  },
})

declare module '#kit/contract.ts' {
  interface Contracts {
    flowStats: typeof flowStats
  }
}
