import { z } from 'zod'
import type { Opening } from '#domain/actions/actions.ts'
import { STATUSES } from '#domain/funnel/card.ts'
import type { Ctx } from '#server/context.ts'

/**
 * Job that creates an opportunity for a conversation's contact, once per `wish`; `responsibleId` null: the conversation's
 * owner at that time. `days` or `date` (`YYYY-MM-DD`) give the expected closing.
 */
export const openJobValue = {
  name: 'funnel:open',
  schema: z.object({
    wish: z.string(),
    ticketId: z.number(),
    contactId: z.number(),
    name: z.string(),
    stageId: z.number(),
    responsibleId: z.number().nullable(),
    value: z.string(),
    days: z.number().nullable(),
    date: z.string().nullable(),
    status: z.enum(STATUSES),
    description: z.string(),
  }),
}

type About = { readonly wish: string; readonly ticketId: number; readonly contactId: number }

/** Enqueues the opportunities that a list of actions creates, each once per `wish`. */
export function enqueueOpenings(ctx: Ctx, openings: readonly Opening[], { wish, ...about }: About): void {
  for (const [index, opening] of openings.entries()) {
    const own = `${wish}:${index}`
    const rest = { responsibleId: null, days: null, date: null, status: 'open' as const, description: '' }
    ctx.enqueue(openJobValue, { wish: own, ...about, ...opening, ...rest }, { key: `open:${ctx.tenantId}:${own}` })
  }
}
