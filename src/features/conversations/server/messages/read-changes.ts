import type { Actor } from '#server/actors.ts'
import type { ReadCtx } from '#server/context.ts'
import { deliveredForm, envelopeFor } from '#server/realtime/audience.ts'
import { readChanges } from '#server/realtime/bus.ts'
import { feedTail, lastSeq } from './queries.ts'

const MOST = 500
const TOO_FAR = 5000

/** What the user would have heard after a number; too far back, everything is to be read again instead. */
export async function changesAfter(ctx: ReadCtx & { user: Actor }, after: number | undefined) {
  const head = await lastSeq(ctx.db)
  if (after === undefined || after >= head)
    return { changes: [], lastSeq: head, hasMore: false, resync: after !== undefined && after > head }
  const tail = (await feedTail(ctx.db)) ?? head + 1
  if (head - after > TOO_FAR || after < tail - 1) return { changes: [], lastSeq: head, hasMore: false, resync: true }
  const upTo = Math.min(head, after + MOST)
  const changes = await readChanges(ctx.db, after, upTo, MOST)
  return {
    changes: changes.flatMap((change) => {
      const heard = deliveredForm(change, ctx.user, ctx.settings)
      if (!heard) return []
      const { channel, envelope } = envelopeFor(change, heard)
      return [{ channel, type: envelope.type, payload: envelope.payload, seq: change.seq! }]
    }),
    lastSeq: upTo,
    hasMore: upTo < head,
    resync: false,
  }
}
