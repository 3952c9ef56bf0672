import { present } from '#domain/present.ts'
import { feedTail, lastSeq } from '#features/ledger/server/messages/index.ts'
import type { Actor } from '#server/actors.ts'
import type { ReadCtx } from '#server/context.ts'
import { deliveredForm, envelopeFor } from '#server/realtime/audience.ts'
import { readChanges } from '#server/realtime/bus.ts'

const MOST = 500
const TOO_FAR = 5000

/**
 * Returns the events that the user missed after a sequence number; `resync` where it is too far back, and everything has to
 * be read again.
 */
export async function changesAfter(ctx: ReadCtx & { user: Actor }, after: number | undefined) {
  const newest = await lastSeq(ctx.db)
  if (after === undefined || after >= newest)
    return { changes: [], lastSeq: newest, hasMore: false, resync: after !== undefined && after > newest }
  const tail = (await feedTail(ctx.db)) ?? newest + 1
  if (newest - after > TOO_FAR || after < tail - 1)
    return { changes: [], lastSeq: newest, hasMore: false, resync: true }
  const upTo = Math.min(newest, after + MOST)
  const changes = await readChanges(ctx.db, after, upTo, MOST)
  return {
    changes: changes.flatMap((change) => {
      const form = deliveredForm(change, ctx.user, ctx.settings)
      if (!form) return []
      const { channel, envelope } = envelopeFor(change, form)
      return [{ channel, type: envelope.type, payload: envelope.payload, seq: present(change.seq) }]
    }),
    lastSeq: upTo,
    hasMore: upTo < newest,
    resync: false,
  }
}
