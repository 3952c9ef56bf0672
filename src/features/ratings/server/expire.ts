import { lockTicket } from '#features/visibility/server/index.ts'
import { unit } from '#server/context.ts'
import type { Platform } from '#server/platform.ts'
import { publishRating } from './publish.ts'
import { expire, findDue, tenantsWithDue } from './queries-asking.ts'

const BATCH = 50

/** Expires unanswered rating requests without a message; several processes may run it concurrently. */
export async function expireRatings(platform: Platform): Promise<void> {
  const now = platform.now()
  for (const tenantId of await platform.db.asPlatform((db) => tenantsWithDue(db, now)))
    while ((await expireSome(platform, tenantId)) === BATCH);
}

function expireSome(platform: Platform, tenantId: number): Promise<number> {
  return unit(platform, { tenantId, user: null }, async (ctx) => {
    const due = await findDue(ctx.db, ctx.now, BATCH)
    // Tickets before their evaluations, as an answer does.
    for (const { id, ticketId } of due.toSorted((a, b) => a.ticketId - b.ticketId)) {
      const { facts } = await lockTicket(ctx, ticketId)
      if (await expire(ctx.db, id)) publishRating(ctx, ticketId, facts, null)
    }
    return due.length
  })
}
