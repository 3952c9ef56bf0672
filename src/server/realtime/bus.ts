import { randomUUID } from 'node:crypto'
import { lastOf, present } from '#domain/present.ts'
import type { AsyncCache } from '../cache.ts'
import type { Database, Queryable } from '../db/db.ts'
import { apart } from '../db/one-client.ts'
import { type OpenConnection, persistentConnection } from '../db/persistent-connection.ts'
import type { Health } from '../health.ts'
import type { Log } from '../log.ts'
import type { Change } from './audience.ts'
import { unpack } from './packed.ts'

/** Pub/sub of what happens after a commit, within the process and between processes. */
export type Bus = {
  /** Announces a commit of this process: its notification is not read from the feed, as `committed` brings the events. */
  committing(tenantId: number, lastSeq: number): void
  /** Handles an unconfirmed commit: publishes here what other processes may have published. */
  notCommitted(tenantId: number, lastSeq: number): void
  /** Publishes in this process what it committed; `lastSeq` is the last number of the durable events. */
  committed(tenantId: number, recorded: readonly Change[], lastSeq: number): void
  /** Publishes an event that is not durable, here and in the other processes: typing, presence (at most 7 kB). */
  publish(tenantId: number, change: Omit<Change, 'seq'>): void
  /** Subscribes to every change of every tenant, in commit order within a tenant. */
  subscribe(listener: (tenantId: number, changes: readonly Change[]) => void): () => void
  /** Subscribes to cache keys that are out of date, such as `actors 5:7`. */
  onStale(listener: (what: string) => void): void
  /**
   * Subscribes to lost notifications: called every second while they are missing, so that no cached value can be trusted,
   * and once when they have recovered: the feed was caught up, and anything published otherwise has to be reloaded.
   */
  onMissed(listener: (state: 'missing' | 'recovered') => void): void
  /** Drops a cached value here; other processes receive it through the database. */
  stale(what: string): void
  start(): Promise<void>
  close(): Promise<void>
}

const PAGE = 1000
const RETRY_MS = 1000

/**
 * Delivers the changes feed to this process in order. Own commits are published directly, those of other processes by
 * NOTIFY; gaps, also after a lost connection, are read from the feed, so that each event is delivered exactly once.
 */
export function createBus(listenUrl: string, { db, log, health }: { db: Database; log: Log; health: Health }): Bus {
  const listeners = new Set<(tenantId: number, changes: readonly Change[]) => void>()
  const staleListeners = new Set<(what: string) => void>()
  const missedListeners = new Set<(state: 'missing' | 'recovered') => void>()
  const feeds = new Map<number, { publishedTo: number; turn: Promise<void> }>()
  /** Own commits in progress: tenant and last number → events notified by the database meanwhile. */
  const own = new Map<string, number>()
  let connection: OpenConnection | undefined
  let isFirst = true
  let missing: NodeJS.Timeout | undefined
  let close = async () => {}
  let isClosed = false
  const self = randomUUID()

  const publishAll = (tenantId: number, changes: readonly Change[]) => {
    for (const listener of listeners) apart(() => listener(tenantId, changes))
  }

  function advance(tenantId: number, lastSeq: number, amount: number, recorded?: readonly Change[]) {
    const first = lastSeq - amount + 1
    const feed = feeds.get(tenantId) ?? { publishedTo: first - 1, turn: Promise.resolve() }
    feeds.set(tenantId, feed)
    feed.turn = feed.turn
      .then(async () => {
        if (recorded && first === feed.publishedTo + 1) {
          feed.publishedTo = lastSeq
          publishAll(tenantId, recorded)
        }
        while (feed.publishedTo < lastSeq) {
          const changes = await db.read(tenantId, (tenant) => readChanges(tenant, feed.publishedTo, lastSeq, PAGE))
          feed.publishedTo = changes.length === PAGE ? lastOf(changes).seq! : lastSeq
          publishAll(tenantId, changes)
        }
      })
      .catch((err) => {
        log.error({ err, tenantId }, 'changes could not be told')
        if (!isClosed) setTimeout(() => advance(tenantId, lastSeq, amount), RETRY_MS).unref()
      })
  }

  function receiveChanges(tenantId: number, lastSeq: number, amount: number) {
    const key = `${tenantId}:${lastSeq}`
    if (own.has(key)) own.set(key, amount)
    else advance(tenantId, lastSeq, amount)
  }

  function receiveTransient(payload: string) {
    const publishedTo: { self: string; tenantId: number; change: Omit<Change, 'seq'> } = JSON.parse(payload)
    if (publishedTo.self !== self) publishAll(publishedTo.tenantId, [{ ...publishedTo.change, seq: null }])
  }

  async function listen(next: OpenConnection): Promise<void> {
    next.client.on('notification', ({ channel, payload }) => {
      if (channel === 'guiche_stale') for (const listener of staleListeners) listener(payload!)
      else if (channel === 'guiche_tell') receiveTransient(payload!)
      else {
        const [tenantId = 0, lastSeq = 0, amount = 0] = present(payload).split(':').map(Number)
        receiveChanges(tenantId, lastSeq, amount)
      }
    })
    await next.query('listen guiche_changes; listen guiche_stale; listen guiche_tell')
    // After LISTEN: commits from here on are notified.
    for (const { tenantId, lastSeq } of await readLastSeqs(db)) {
      if (!feeds.has(tenantId)) feeds.set(tenantId, { publishedTo: isFirst ? lastSeq : 0, turn: Promise.resolve() })
      advance(tenantId, lastSeq, 0)
    }
    isFirst = false
    connection = next
    clearInterval(missing)
    publishMissed('recovered')
    health.recover('listen')
  }

  function lost(code: string): void {
    connection = undefined
    health.fail('listen', code)
    clearInterval(missing)
    publishMissed('missing')
    missing = setInterval(() => publishMissed('missing'), RETRY_MS).unref()
  }

  const publishMissed = (state: 'missing' | 'recovered') => {
    for (const listener of missedListeners) listener(state)
  }

  return {
    committing: (tenantId, lastSeq) => void own.set(`${tenantId}:${lastSeq}`, 0),
    notCommitted(tenantId, lastSeq) {
      const amount = own.get(`${tenantId}:${lastSeq}`)
      own.delete(`${tenantId}:${lastSeq}`)
      if (amount) advance(tenantId, lastSeq, amount)
    },
    committed(tenantId, recorded, lastSeq) {
      own.delete(`${tenantId}:${lastSeq}`)
      advance(tenantId, lastSeq, recorded.length, recorded)
    },
    publish(tenantId, change) {
      publishAll(tenantId, [{ ...change, seq: null }])
      const publishedTo = JSON.stringify({ self, tenantId, change })
      connection?.query('select pg_notify($1, $2)', ['guiche_tell', publishedTo]).catch(() => {})
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    onStale: (listener) => void staleListeners.add(listener),
    onMissed: (listener) => void missedListeners.add(listener),
    stale(what) {
      for (const listener of staleListeners) apart(() => listener(what))
    },
    async start() {
      close = await persistentConnection(listenUrl, 'guiche listen', { open: listen, lost, log })
    },
    async close() {
      isClosed = true
      clearInterval(missing)
      await close()
    },
  }
}

/** Returns the last number of each tenant's feed. */
const readLastSeqs = (db: Database): Promise<{ tenantId: number; lastSeq: number }[]> =>
  db.asPlatform((tx) => tx.selectFrom('feed_heads').select(['tenant_id as tenantId', 'last_seq as lastSeq']).execute())

/** Returns the recorded changes after one number up to another, in order, at most `most`. */
export async function readChanges(tenant: Queryable, after: number, upTo: number, most: number): Promise<Change[]> {
  const rows = await tenant
    .selectFrom('changes')
    .select(['seq', 'channel', 'type', 'payload', 'audience', 'packed'])
    .where('seq', '>', after)
    .where('seq', '<=', upTo)
    .orderBy('seq')
    .limit(most)
    .execute()
  return rows.map(({ seq, channel, type, packed, ...plain }) => {
    const { payload, audience } = packed ? unpack(packed) : plain
    return { seq, channel, type, payload, audience }
  })
}

/** Invalidates caches by the bus's keys: `actors 5:7`, `settings 5`; while it receives nothing, cached values are reloaded. */
export function invalidateStale(bus: Bus, caches: Record<string, AsyncCache<unknown>>) {
  bus.onStale((what) => {
    const [name, key] = what.split(' ')
    if (key) caches[name!]?.delete(key)
  })
  bus.onMissed(() => {
    for (const cache of Object.values(caches)) cache.clear()
  })
}
