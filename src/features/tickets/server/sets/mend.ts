import { z } from 'zod'
import { keysIn } from '#domain/keys.ts'
import { previewOf } from '#domain/messages/preview.ts'
import { unsigned } from '#domain/messages/signature.ts'
import { lastOf, lookUp } from '#domain/present.ts'
import { factsOf, loadTicketRows } from '#features/ledger/server/rows/index.ts'
import {
  type Compared,
  compareSummaries,
  compareSummariesOf,
  type Summary,
  ticketsById,
  writeSummaries,
} from '#features/ledger/server/sets/index.ts'
import { announce } from '#features/visibility/server/index.ts'
import { type Ctx, unit } from '#server/context.ts'
import { job } from '#server/job.ts'

const BLOCK = 200

/** Job that corrects the last-message summary of every ticket of the company; idempotent. */
export const mendJob = job({
  name: 'tickets:mend',
  schema: z.object({}),
  async run(platform, { tenantId }, { requireOwnership }) {
    const next = (after: number) => unit(platform, { tenantId, user: null }, (ctx) => mendBlock(ctx, after))
    for (let after: number | null = 0; after !== null; requireOwnership()) after = await next(after)
  },
})

/** Corrects a block of tickets after an id; returns the last id, or null at the end. */
async function mendBlock(ctx: Ctx, after: number): Promise<number | null> {
  const compared = await compareSummaries(ctx.db, after, BLOCK)
  const wrong = compared.flatMap((one) => {
    const { id, status: _1, newest: _2, derived: _3, ...stored } = one
    const summary = summaryOf(one, stored)
    return isSame(summary, stored) ? [] : [{ id, ...summary }]
  })
  if (wrong.length > 0) await mend(ctx, wrong)
  return compared.length === BLOCK ? lastOf(compared).id : null
}

async function mend(ctx: Ctx, wrong: readonly (Summary & { id: number })[]): Promise<void> {
  const ids = wrong.map(({ id }) => id)
  const before = await ticketsById(ctx.db, ids, true)
  await writeSummaries(ctx.db, wrong)
  for (const [id, after] of await loadTicketRows(ctx.db, ids, ctx)) announce(ctx, factsOf(lookUp(before, id)), after)
}

/** Updates tickets' summaries from their last message; empty if there is none. Publishes no events. */
export async function summarize(ctx: Pick<Ctx, 'db'>, ids: readonly number[]): Promise<void> {
  const compared = await compareSummariesOf(ctx.db, ids)
  const summaries = compared.map((one) => {
    const { id, status: _1, newest, derived: _2, ...stored } = one
    return { id, ...summaryOf(one, newest ? stored : { ...stored, lastMessage: '', waitingSince: null }) }
  })
  if (summaries.length > 0) await writeSummaries(ctx.db, summaries)
}

/** Summary as `writeMessages` stores it. */
function summaryOf({ status, newest, derived }: Compared, stored: Summary): Summary {
  const last = newest && {
    lastMessage: previewOf({ ...newest, body: newest.fromMe ? unsigned(newest.body, newest.author) : newest.body }),
    lastMessageFromMe: newest.fromMe,
    lastMessageStatus: newest.status,
    lastMessageSender: newest.sender,
    lastMessageAt: newest.at,
  }
  return { ...stored, ...last, ...derived, ...(status === 'closed' ? { waitingSince: null } : {}) }
}

const isSame = (one: Summary, other: Summary): boolean => keysIn(one).every((key) => one[key] === other[key])
