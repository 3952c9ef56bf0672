import { randomUUID } from 'node:crypto'
import type { AsyncCache } from '../cache.ts'
import type { Database, Queryable } from '../db/db.ts'
import { type OpenConnection, persistentConnection } from '../db/persistent-connection.ts'
import type { Health } from '../health.ts'
import type { Log } from '../log.ts'
import type { Audience, Change } from './audience.ts'

/** What happens in the process and between processes after a commit. */
export type Bus = {
  /** Announces a commit of this process: its notification is not read from the feed, as `committed` brings the events. */
  committing(tenantId: number, head: number): void
  /** That commit was not confirmed; what others may have been told of it is told here too. */
  notCommitted(tenantId: number, head: number): void
  /** Tells this process what it has just committed; `head` is the last number of the kept events. */
  committed(tenantId: number, kept: readonly Change[], head: number): void
  /** Tells at once, here and in the other processes, what is not kept: typing, presence (at most 7 kB). */
  tell(tenantId: number, change: Omit<Change, 'seq'>): void
  /** Hears every change of every tenant, in commit order within a tenant. */
  subscribe(listener: (tenantId: number, changes: readonly Change[]) => void): () => void
  /** Hears cache keys that are out of date, such as `actors 5:7`. */
  onStale(listener: (what: string) => void): void
  /**
   * Hears every second that notifications are being missed, so that nothing kept can be trusted, and once that they come
   * again: the feed was read from where it was, and whatever else may have been said meanwhile has to be looked up.
   */
  onMissed(listener: (state: 'missing' | 'recovered') => void): void
  /** Drops a cached value here; other processes hear it through the database. */
  stale(what: string): void
  start(): Promise<void>
  close(): Promise<void>
}

const PAGE = 1000
const AGAIN_MS = 1000

/**
 * Delivers the changes feed to this process in order. What this process commits is told directly; what others commit
 * arrives by NOTIFY; a gap between the two, or before a notification that comes after a loss, is read from the feed, so
 * nothing is skipped and nothing told twice.
 */
export function createBus(listenUrl: string, { db, log, health }: { db: Database; log: Log; health: Health }): Bus {
  const listeners = new Set<(tenantId: number, changes: readonly Change[]) => void>()
  const staleListeners = new Set<(what: string) => void>()
  const missedListeners = new Set<(state: 'missing' | 'recovered') => void>()
  const lines = new Map<number, { told: number; turn: Promise<void> }>()
  /** Own commits under way: tenant and head → how many events the database has notified meanwhile. */
  const own = new Map<string, number>()
  let connection: OpenConnection | undefined
  let isFirst = true
  let missing: NodeJS.Timeout | undefined
  let close = async () => {}
  let isClosed = false
  const self = randomUUID()

  const tellAll = (tenantId: number, changes: readonly Change[]) => {
    for (const listener of listeners) listener(tenantId, changes)
  }

  function advance(tenantId: number, head: number, amount: number, kept?: readonly Change[]) {
    const first = head - amount + 1
    const line = lines.get(tenantId) ?? { told: first - 1, turn: Promise.resolve() }
    lines.set(tenantId, line)
    line.turn = line.turn
      .then(async () => {
        if (kept && first === line.told + 1) {
          line.told = head
          tellAll(tenantId, kept)
        }
        while (line.told < head) {
          const changes = await db.read(tenantId, (tenant) => readChanges(tenant, line.told, head, PAGE))
          line.told = changes.length === PAGE ? changes.at(-1)!.seq! : head
          tellAll(tenantId, changes)
        }
      })
      .catch((err) => {
        log.error({ err, tenantId }, 'changes could not be told')
        if (!isClosed) setTimeout(() => advance(tenantId, head, amount), AGAIN_MS).unref()
      })
  }

  function hearChanges(tenantId: number, head: number, amount: number) {
    const key = `${tenantId}:${head}`
    if (own.has(key)) own.set(key, amount)
    else advance(tenantId, head, amount)
  }

  function hearTold(payload: string) {
    const told = JSON.parse(payload) as { self: string; tenantId: number; change: Omit<Change, 'seq'> }
    if (told.self !== self) tellAll(told.tenantId, [{ ...told.change, seq: null }])
  }

  async function listen(next: OpenConnection): Promise<void> {
    next.client.on('notification', ({ channel, payload }) => {
      if (channel === 'guiche_stale') for (const listener of staleListeners) listener(payload!)
      else if (channel === 'guiche_tell') hearTold(payload!)
      else hearChanges(...(payload!.split(':').map(Number) as [number, number, number]))
    })
    await next.query('listen guiche_changes; listen guiche_stale; listen guiche_tell')
    // Behind LISTEN: what is committed from here on is notified.
    for (const { tenantId, head } of await readHeads(db)) {
      if (!lines.has(tenantId)) lines.set(tenantId, { told: isFirst ? head : 0, turn: Promise.resolve() })
      advance(tenantId, head, 0)
    }
    isFirst = false
    connection = next
    clearInterval(missing)
    sayMissed('recovered')
    health.recover('listen')
  }

  function lost(code: string): void {
    connection = undefined
    health.fail('listen', code)
    clearInterval(missing)
    sayMissed('missing')
    missing = setInterval(() => sayMissed('missing'), AGAIN_MS).unref()
  }

  const sayMissed = (state: 'missing' | 'recovered') => {
    for (const listener of missedListeners) listener(state)
  }

  return {
    committing: (tenantId, head) => void own.set(`${tenantId}:${head}`, 0),
    notCommitted(tenantId, head) {
      const heard = own.get(`${tenantId}:${head}`)
      own.delete(`${tenantId}:${head}`)
      if (heard) advance(tenantId, head, heard)
    },
    committed(tenantId, kept, head) {
      own.delete(`${tenantId}:${head}`)
      advance(tenantId, head, kept.length, kept)
    },
    tell(tenantId, change) {
      tellAll(tenantId, [{ ...change, seq: null }])
      const told = JSON.stringify({ self, tenantId, change })
      connection?.query('select pg_notify($1, $2)', ['guiche_tell', told]).catch(() => {})
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    onStale: (listener) => void staleListeners.add(listener),
    onMissed: (listener) => void missedListeners.add(listener),
    stale(what) {
      for (const listener of staleListeners) listener(what)
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

/** How far each tenant's feed has come. */
const readHeads = (db: Database): Promise<{ tenantId: number; head: number }[]> =>
  db.asPlatform((tx) => tx.selectFrom('feed_heads').select(['tenant_id as tenantId', 'last_seq as head']).execute())

/** The kept changes after one number up to another, in order: at most so many of them. */
export async function readChanges(tenant: Queryable, after: number, upTo: number, most: number): Promise<Change[]> {
  const rows = await tenant
    .selectFrom('changes')
    .select(['seq', 'channel', 'type', 'payload', 'audience'])
    .where('seq', '>', after)
    .where('seq', '<=', upTo)
    .orderBy('seq')
    .limit(most)
    .execute()
  return rows.map((row) => ({ ...row, audience: row.audience as Audience }))
}

/** Wires the caches to what the bus says: `actors 5:7`, `settings 5`; while it hears nothing, what they keep is read anew. */
export function invalidateStale(bus: Bus, caches: Record<string, AsyncCache<unknown>>) {
  bus.onStale((what) => {
    const [name, key] = what.split(' ')
    if (key) caches[name!]?.drop(key)
  })
  bus.onMissed(() => {
    for (const cache of Object.values(caches)) cache.dropAll()
  })
}
