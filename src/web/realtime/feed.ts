/** Event of the socket or the changes feed; `seq` is null for events that are not durable (typing, presence). */
export type FeedEvent = { channel: string; type: string; payload: unknown; seq: number | null }

/** Page of the changes feed (`GET /changes`). */
export type FeedPage = {
  changes: readonly { channel: string; type: string; payload: unknown; seq: number }[]
  lastSeq: number
  hasMore: boolean
  resync: boolean
}

/**
 * Keeps a page's cursor in the tenant's feed, so that every durable event is published once and in order, whatever the
 * socket does: `live` takes events of the socket, `heal` reads missed ones while `live` waits. `reload` is the last resort.
 */
export function createFeed(parts: {
  /** Reads the page after a cursor; null reads only the newest cursor. */
  read: (after: number | null) => Promise<FeedPage>
  /** Publishes an event; `missed`: it was read after an absence instead of received live. */
  publish: (event: FeedEvent, missed: boolean) => void
  reload: () => void
}) {
  let cursor: number | null = null
  let queued: FeedEvent[] | undefined
  let turn: Promise<void> = Promise.resolve()
  let round = 0

  const publish = (event: FeedEvent, missed = false) => {
    if (event.seq !== null) {
      if (cursor !== null && event.seq <= cursor) return // told already, live or by healing
      cursor = event.seq
    }
    parts.publish(event, missed)
  }

  const healNow = async (own: number) => {
    try {
      for (let more = true; more; ) {
        const page = await parts.read(cursor)
        if (cursor === null || page.resync) parts.reload()
        else for (const change of page.changes) publish(change, true)
        cursor = Math.max(cursor ?? 0, page.lastSeq)
        more = page.hasMore && !page.resync
      }
    } catch {
      parts.reload() // the feed did not answer: reading the screen again is always right
    }
    if (own !== round) return // the socket broke again meanwhile: what is held may lie beyond a second gap
    const waiting = queued ?? []
    queued = undefined
    for (const event of waiting) publish(event)
  }

  return {
    /** Sets the cursor that was read before anything else. */
    startAt(seq: number) {
      cursor = Math.max(cursor ?? 0, seq)
    },
    live(event: FeedEvent) {
      if (queued) queued.push(event)
      else publish(event)
    },
    heal(): Promise<void> {
      queued ??= []
      round += 1
      const own = round
      turn = turn.then(() => healNow(own))
      return turn
    },
  }
}
