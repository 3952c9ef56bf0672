import { z } from 'zod'
import { maskName } from '#domain/access/restricted.ts'
import { REPLAY_OUTCOMES } from '#domain/flow/replay.ts'
import { FLOW_ENDS, STEP_CAUSES } from '#domain/flow/session.ts'
import { contract } from '#kit/contract.ts'
import { epochMs, id, moment, pageQuery } from '#kit/fields.ts'
import { hidden } from '#kit/hidden.ts'
import * as at from './insight-addresses.ts'

/**
 * Ways in which a conversation leaves a step: by a condition, for another cause, elsewhere (back to the start, to another
 * flow), or not yet.
 */
export const WAYS = ['branch', ...STEP_CAUSES, 'other', 'here'] as const

const period = {
  /** Published version; defaults to the current one. */
  version: z.coerce.number<number | string>().int().positive().max(2_147_483_647).optional(),
  /** Start of the conversations, from and before; defaults to the last 30 days. */
  from: moment.optional(),
  to: moment.optional(),
}

/** API contract of flow statistics: the steps that conversations went through. */
export const flowStats = contract(at.flowStats, {
  get: {
    summary: 'Por onde as conversas passaram num chatbot, onde pararam e quanto demoraram',
    query: z.object(period),
    returns: z.object({
      /** Null if no version is published. */
      version: z.number().int().nullable(),
      conversations: z.number().int(),
      /** True if only the newest conversations are counted. */
      isCapped: z.boolean(),
      steps: z.array(
        z.object({
          nodeId: z.string(),
          visits: z.number().int(),
          /** Median time from entering the step to leaving it, in ms; null if no conversation has left it. */
          medianMs: z.number().int().nullable(),
          /** Ways in which conversations left the step; `index` is the position of the condition. */
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
      /** Defaults to all visits. */
      way: z.enum(WAYS).optional(),
      index: z.coerce.number<number | string>().int().min(0).max(10_000).optional(),
    }),
    returns: z.object({
      conversations: z.array(
        z.object({
          ticketId: z.number().int(),
          contactName: hidden(z.string(), maskName),
          status: z.string(),
          /** Time of entering the step. */
          at: epochMs,
        }),
      ),
      hasMore: z.boolean(),
      nextCursor: z.string().nullable(),
    }),
    errors: ['ERR_NO_CHAT_FLOW_FOUND', 'ERR_NO_FLOW_VERSION_FOUND', 'ERR_PAGE_TOO_FAR'],
  },
})

const replay = z.object({
  id: z.number().int(),
  /** Time of the replay. */
  at: epochMs,
  total: z.number().int(),
  /** Number of conversations whose version no longer exists. */
  unplayable: z.number().int(),
  same: z.number().int(),
  words: z.number().int(),
  way: z.number().int(),
  end: z.number().int(),
  stuck: z.number().int(),
  /** True if only the newest were replayed: there were more, or the minute was over. */
  isCapped: z.boolean(),
})

/** Course of a conversation; texts are omitted for users from whom customer data is masked. */
const side = z.object({
  texts: z.array(z.object({ isBot: z.boolean(), body: z.string() })),
  path: z.array(z.object({ nodeId: z.string(), name: z.string() })),
  end: z.enum(FLOW_ENDS).nullable(),
  /** Destination set by the flow: kind, and id of the queue or user. */
  to: z.enum(['queue', 'user', 'close', 'channel']).nullable(),
  id: z.number().int().nullable(),
  waiting: z.enum(['answer', 'delay', 'call', 'flow']).nullable(),
})

/** API contract of flow replays: real conversations played again on a draft. */
export const flowReplays = contract(at.flowReplays, {
  create: {
    summary: 'Repetir no rascunho as conversas reais que um chatbot começou num período, e contar o que mudaria',
    mode: 'slow',
    body: z.strictObject({ from: moment, to: moment }),
    returns: replay,
    errors: ['ERR_NO_CHAT_FLOW_FOUND', 'ERR_FLOW_REPLAY_RUNNING'],
  },
  latest: {
    summary: 'A última repetição no rascunho, e a última conferência da noite, em que cada conversa segue a sua versão',
    returns: z.object({ last: replay.nullable(), night: replay.nullable() }),
    errors: ['ERR_NO_CHAT_FLOW_FOUND'],
  },
  pairs: {
    summary: 'Conversas de uma repetição lado a lado, como foram e como seriam, só as ao alcance de quem pede',
    params: z.object({ id, replayId: id }),
    query: pageQuery.extend({ outcome: z.enum(REPLAY_OUTCOMES) }),
    returns: z.object({
      pairs: z.array(
        z.object({
          ticketId: z.number().int(),
          contactName: hidden(z.string(), maskName),
          at: epochMs,
          before: side,
          after: side,
        }),
      ),
      hasMore: z.boolean(),
      nextCursor: z.string().nullable(),
    }),
    errors: ['ERR_NO_FLOW_REPLAY_FOUND', 'ERR_PAGE_TOO_FAR'],
  },
})

declare module '#kit/contract.ts' {
  interface Contracts {
    flowStats: typeof flowStats
    flowReplays: typeof flowReplays
  }
}
