import { liveWithTag, replaceTag } from '#features/ledger/server/changes/index.ts'
import { factsOf, findTicketsForUpdate } from '#features/ledger/server/rows/index.ts'
import { announceAll } from '#features/visibility/server/index.ts'
import type { Ctx } from '#server/context.ts'

/** Replaces a tag on tickets, saved views and macros, and publishes active tickets. */
export async function mergeTagsOfTickets(ctx: Ctx, from: number, into: number): Promise<void> {
  const ids = await liveWithTag(ctx.db, from)
  const before = ids.length > 0 ? await findTicketsForUpdate(ctx.db, ids) : []
  await replaceTag(ctx.db, from, into)
  await announceAll(
    ctx,
    before.map((row) => ({ row, facts: factsOf(row) })),
  )
}
