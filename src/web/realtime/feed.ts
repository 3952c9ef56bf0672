/** One event as the socket or the changes feed tells it; `seq` is null for what is not kept (typing, presence). */
export type FeedEvent = { channel: string; type: string; payload: unknown; seq: number | null }

/** A page of the changes feed (`GET /changes`). */
export type FeedPage = {
  changes: readonly { channel: string; type: string; payload: unknown; seq: number }[]
  lastSeq: number
  hasMore: boolean
  resync: boolean
}

/**
 * Keeps a page's place in the tenant's feed, so that every kept event is told once and in order, whatever the line does:
 * `live` takes what the socket brings, `heal` reads what was missed while `live` waits. `readAgain` is the last resort.
 */
export function createFeed(parts: {
  /** A page after a place; null only asks for the newest place. */
  read: (after: number | null) => Promise<FeedPage>
  /** `missed`: it was read after an absence instead of heard. */
  tell: (told: FeedEvent, missed: boolean) => void
  readAgain: () => void
}) {
  let place: number | null = null
  let held: FeedEvent[] | undefined
  let turn: Promise<void> = Promise.resolve()
  let round = 0

  const tell = (told: FeedEvent, missed = false) => {
    if (told.seq !== null) {
      if (place !== null && told.seq <= place) return // told already, live or by healing
      place = told.seq
    }
    parts.tell(told, missed)
  }

  const healNow = async (own: number) => {
    try {
      for (let more = true; more; ) {
        const page = await parts.read(place)
        if (place === null || page.resync) parts.readAgain()
        else for (const change of page.changes) tell(change, true)
        place = Math.max(place ?? 0, page.lastSeq)
        more = page.hasMore && !page.resync
      }
    } catch {
      parts.readAgain() // the feed did not answer: reading the screen again is always right
    }
    if (own !== round) return // the line broke again meanwhile: what is held may lie beyond a second gap
    const waiting = held ?? []
    held = undefined
    for (const told of waiting) tell(told)
  }

  return {
    /** The place taken before anything was read from the server. */
    startAt(seq: number) {
      place = Math.max(place ?? 0, seq)
    },
    live(told: FeedEvent) {
      if (held) held.push(told)
      else tell(told)
    },
    heal(): Promise<void> {
      held ??= []
      round += 1
      const own = round
      turn = turn.then(() => healNow(own))
      return turn
    },
  }
}
