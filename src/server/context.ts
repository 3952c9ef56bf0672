import type { z } from 'zod'
import { lastOf, present } from '#domain/present.ts'
import type { Audience } from '#kit/audience.ts'
import type { EventSpec } from '#kit/events.ts'
import type { TenantSettings } from '#kit/settings.ts'
import { type Actor, readActor } from './actors.ts'
import { refuseLost } from './at-work.ts'
import { type AuditDetails, type AuditEvent, writeAudit } from './audit.ts'
import { askWithCommit, partOf, type Queryable, type Tx, transactionTime } from './db/db.ts'
import { type Installation, packsChanges } from './db/installation.ts'
import { repeated } from './db/repeated.ts'
import { uuidv7 } from './ids.ts'
import type { Job } from './job.ts'
import type { Platform } from './platform.ts'
import { pack } from './realtime/packed.ts'

/** Context of a read of one tenant. */
export type ReadCtx = {
  readonly platform: Platform
  readonly tenantId: number
  readonly settings: TenantSettings
  /** Settings of the whole installation. */
  readonly installation: Installation
  /** User who asks; null for the product itself (ingest, jobs, widget). */
  readonly user: Actor | null
  readonly now: Date
  readonly db: Queryable
}

/** Jobs of one `queue` run in order; one waiting job per `key`; not before `runAt`; those of a lower `priority` (0) first. */
export type JobOptions = {
  readonly key?: string
  readonly queue?: string
  readonly runAt?: Date
  readonly priority?: number
}

/** Context of a change of one tenant; events and jobs recorded in it belong to the same transaction. */
export type Ctx = Omit<ReadCtx, 'db'> & {
  readonly db: Tx
  /** Depth of rule-triggered actions; absent for users, customers and timers. */
  readonly depth?: number
  newId(): string
  /** Records an event, published after the commit. */
  emit<E extends EventSpec>(event: E, payload: z.input<E['payload']>, audience: Audience): void
  /** Records a job; it starts after the commit. */
  enqueue<S extends z.ZodObject>(job: Pick<Job<S>, 'name' | 'schema'>, payload: z.input<S>, options?: JobOptions): void
  /** Makes every process read a cached value again: `actors 5:7`, `settings 5`. */
  stale(what: string): void
  /** Adds what an operation with `audit: true` changed to its audit record; no effect outside of operations (jobs). */
  audit(details: AuditDetails): void
  /** Records an event in the tenant's audit log, within this transaction. */
  record(event: AuditEvent): void
  afterCommit(work: () => void): void
}

/**
 * Returns a user of the same tenant with permissions, from the cache or else read with the unit's client; null if
 * deleted.
 */
export async function actorWithin(
  { platform, tenantId, db }: Pick<ReadCtx, 'platform' | 'tenantId' | 'db'>,
  id: number,
): Promise<Actor | null> {
  const known = platform.actors.peek(`${tenantId}:${id}`)
  return known === undefined ? readActor(db, tenantId, id) : known
}

/**
 * Runs a part of a unit of work in a savepoint: if it throws, its writes and recorded effects are discarded, and the unit
 * continues.
 */
export async function withSavepoint<T>(ctx: Ctx, work: (ctx: Ctx) => Promise<T>): Promise<T> {
  const recorded: (() => void)[] = []
  const fresh =
    <A extends unknown[]>(record: (...args: A) => void) =>
    (...args: A) =>
      void recorded.push(() => record(...args))
  const result = await partOf(ctx.db, () =>
    work({
      ...ctx,
      emit: (event, payload, audience) => {
        // A wrong shape fails here, not at the end of the part.
        event.payload.parse(payload)
        recorded.push(() => ctx.emit(event, payload, audience))
      },
      enqueue: (job, payload, options) => void recorded.push(() => ctx.enqueue(job, payload, options)),
      stale: fresh(ctx.stale),
      audit: fresh(ctx.audit),
      record: fresh(ctx.record),
      afterCommit: fresh(ctx.afterCommit),
    }),
  )
  for (const record of recorded) record()
  return result
}

type Base = { tenantId: number; user: Actor | null; audit?: (details: AuditDetails) => void }
type UnitBase = Base & {
  /**
   * Whether the unit's first statements write nothing outside of a transaction, so that they can be sent together with its
   * `begin`.
   */
  isGuarded?: boolean
}

// Cached values are loaded before a client is taken: a unit with a client must not wait for another one.
async function loaded(platform: Platform, tenantId: number) {
  const [settings, installation] = await Promise.all([
    platform.settings.get(String(tenantId)),
    platform.installation.get('all'),
  ])
  return { platform, tenantId, settings, installation }
}

/** Runs a read of one tenant. */
export async function reading<T>(
  platform: Platform,
  { tenantId, user }: Base,
  work: (ctx: ReadCtx) => Promise<T>,
): Promise<T> {
  const base = await loaded(platform, tenantId)
  return platform.db.read(tenantId, (db) => work({ ...base, user, now: platform.now(), db }))
}

type Announced = { channel: string; type: string; payload: unknown; audience: Audience; durable: boolean }

const packed = ({ channel, type, ...content }: Announced) => ({
  channel,
  type,
  packed: pack(content).toString('base64'),
})

type Recorded = { name: string; payload: object; options: JobOptions }

/** Groups jobs into as few sets as possible with each key once, in their order. */
function inSets(jobs: readonly Recorded[]): Recorded[][] {
  const sets: Recorded[][] = []
  let keys = new Set<string>()
  for (const job of jobs) {
    const { key } = job.options
    if (sets.length === 0 || (key !== undefined && keys.has(key))) {
      sets.push([])
      keys = new Set()
    }
    if (key !== undefined) keys.add(key)
    lastOf(sets).push(job)
  }
  return sets
}

/**
 * Runs one unit of work of one tenant: load → decide → save → publish. The changes feed's number is taken as the last
 * statement (decision B16). A unit that the database cut (a deadlock, a lock time-out) is repeated, so `work` may run
 * several times; its only effects are those that it records.
 */
export async function unit<T>(
  platform: Platform,
  { tenantId, user, audit = () => {}, isGuarded = false }: UnitBase,
  work: (ctx: Ctx) => Promise<T>,
): Promise<T> {
  const base = await loaded(platform, tenantId)
  const attempt = async () => {
    const collected: Collected = { events: [], jobs: [], records: [], stale: new Set(), after: [] }
    let announced = 0
    try {
      const transact = async (db: Tx) => {
        const result = await work({
          ...base,
          user,
          now: transactionTime(db),
          db,
          newId: uuidv7,
          emit: (event, payload, audience) => {
            collected.events.push({
              channel: event.channel,
              type: event.type,
              payload: event.payload.parse(payload),
              audience,
              durable: event.durable,
            })
          },
          enqueue: ({ name }, payload, options = {}) => void collected.jobs.push({ name, payload, options }),
          stale: (what) => void collected.stale.add(what),
          afterCommit: (then) => void collected.after.push(then),
          audit,
          record: (event) => void collected.records.push(event),
        })
        refuseLost()
        await writeCollected(db, { ...base, tenantId }, collected, (lastSeq) => {
          announced = lastSeq
        })
        return result
      }
      const result = await platform.db.write(tenantId, transact, { isGuarded })
      return { result, lastSeq: announced, collected }
    } catch (error) {
      platform.bus.notCommitted(tenantId, announced)
      throw error
    }
  }
  const { result, lastSeq, collected } = await repeated(attempt)
  publishCollected(platform, tenantId, collected, lastSeq)
  return result
}

/** What a unit of work recorded while it ran. */
type Collected = {
  readonly events: Announced[]
  readonly jobs: Recorded[]
  readonly records: AuditEvent[]
  readonly stale: Set<string>
  readonly after: (() => void)[]
}

/** Writes what was recorded with the commit; `onAppended` gets the last number of the changes feed. */
async function writeCollected(
  db: Tx,
  { platform, tenantId, installation }: Pick<ReadCtx, 'platform' | 'tenantId' | 'installation'>,
  { events, jobs, records, stale }: Collected,
  onAppended: (lastSeq: number) => void,
): Promise<void> {
  for (const set of inSets(jobs)) {
    const added = set.map(({ name, payload, options }) => ({
      ...options,
      task: name,
      payload: { ...payload, tenantId },
    }))
    askWithCommit(db, { text: 'select app.add_jobs($1::json)', values: [JSON.stringify(added)] })
  }
  for (const what of stale) askWithCommit(db, { text: "select pg_notify('guiche_stale', $1)", values: [what] })
  const recorded = events.filter((event) => event.durable)
  if (records.length > 0) await writeAudit(db, platform, tenantId, records)
  if (recorded.length === 0) return
  const appended = packsChanges(installation) ? recorded.map(packed) : recorded
  const append = { text: 'select app.append_changes($1::jsonb) as "lastSeq"', values: [JSON.stringify(appended)] }
  askWithCommit<{ lastSeq: number }>(db, append, ([row]) => {
    const { lastSeq } = present(row)
    onAppended(lastSeq)
    platform.bus.committing(tenantId, lastSeq)
  })
}

/** Publishes what was committed, and does what waited for it. */
function publishCollected(
  platform: Platform,
  tenantId: number,
  { events, stale, after }: Collected,
  lastSeq: number,
): void {
  for (const what of stale) platform.bus.stale(what)
  const recorded = events.filter((event) => event.durable)
  if (recorded.length > 0) {
    const first = lastSeq - recorded.length + 1
    platform.bus.committed(
      tenantId,
      recorded.map((event, index) => ({ ...event, seq: first + index })),
      lastSeq,
    )
  }
  for (const event of events) if (!event.durable) platform.bus.publish(tenantId, event)
  for (const then of after) then()
}
