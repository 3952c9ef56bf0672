import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { AsyncCache } from '../cache.ts'
import type { Database, Queryable } from '../db/db.ts'
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
  /** Drops a cached value here; other processes hear it through the database. */
  stale(what: string): void
  start(): Promise<void>
  close(): Promise<void>
}

/**
 * Delivers the changes feed to this process in order. What this process commits is told directly; what others commit
 * arrives by NOTIFY; a gap between the two is read from the feed, so nothing is skipped and nothing told twice.
 */
export function createBus(listenUrl: string, db: Database, log: Log): Bus {
  const listeners = new Set<(tenantId: number, changes: readonly Change[]) => void>()
  const staleListeners = new Set<(what: string) => void>()
  const lines = new Map<number, { told: number; turn: Promise<void> }>()
  /** Own commits under way: tenant and head → how many events the database has notified meanwhile. */
  const own = new Map<string, number>()
  let client: pg.Client | undefined
  let closed = false
  // One after the other: a connection takes one query at a time.
  let telling: Promise<unknown> = Promise.resolve()
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
        if (head <= line.told) return
        const changes =
          kept && first === line.told + 1
            ? kept
            : await db.read(tenantId, (tenant) => readChanges(tenant, line.told, head))
        line.told = head
        tellAll(tenantId, changes)
      })
      .catch((err) => log.error({ err, tenantId }, 'changes could not be told'))
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

  async function listen(): Promise<void> {
    const next = new pg.Client({ connectionString: listenUrl, application_name: 'guiche listen' })
    const again = () => {
      if (closed || client !== next) return
      client = undefined
      setTimeout(() => void listen().catch(again), 1000).unref()
    }
    next.on('error', again)
    next.on('end', again)
    next.on('notification', ({ channel, payload }) => {
      if (channel === 'guiche_stale') for (const listener of staleListeners) listener(payload!)
      else if (channel === 'guiche_tell') hearTold(payload!)
      else hearChanges(...(payload!.split(':').map(Number) as [number, number, number]))
    })
    client = next
    await next.connect()
    await next.query('listen guiche_changes; listen guiche_stale; listen guiche_tell')
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
      telling = telling.then(() => client?.query('select pg_notify($1, $2)', ['guiche_tell', told])).catch(() => {})
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    onStale: (listener) => void staleListeners.add(listener),
    stale(what) {
      for (const listener of staleListeners) listener(what)
    },
    start: listen,
    async close() {
      closed = true
      await client?.end().catch(() => {})
    },
  }
}

/** The kept changes after one number up to another, in order. */
export async function readChanges(tenant: Queryable, after: number, upTo: number, most = 5000): Promise<Change[]> {
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

/** Wires the caches to what the bus says: `actors 5:7`, `settings 5`. */
export function dropStale(bus: Bus, caches: Record<string, AsyncCache<unknown>>) {
  bus.onStale((what) => {
    const [name, key] = what.split(' ')
    if (key) caches[name!]?.drop(key)
  })
}
