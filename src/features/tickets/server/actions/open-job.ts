import { z } from 'zod'
import type { Opening } from '#domain/actions/actions.ts'
import { STATUSES } from '#domain/funnel/card.ts'
import type { Ctx } from '#server/context.ts'

/**
 * The job that begins an opportunity of the contact of a conversation, once for each wish (`wish`); `responsibleId` null:
 * the owner of the conversation at that time. `days` or `date` (`YYYY-MM-DD`) say when it is expected.
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

/** Has the opportunities begun that a list of actions wants, each once under the list's `wish`. */
export function enqueueOpenings(ctx: Ctx, openings: readonly Opening[], { wish, ...about }: About): void {
  for (const [index, opening] of openings.entries()) {
    const own = `${wish}:${index}`
    const rest = { responsibleId: null, days: null, date: null, status: 'open' as const, description: '' }
    ctx.enqueue(openJobValue, { wish: own, ...about, ...opening, ...rest }, { key: `open:${ctx.tenantId}:${own}` })
  }
}
