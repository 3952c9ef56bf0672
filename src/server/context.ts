import { sql } from 'kysely'
import type { z } from 'zod'
import type { EventSpec } from '#kit/events.ts'
import type { TenantSettings } from '#kit/settings.ts'
import type { Actor } from './actors.ts'
import { type AuditDetails, type AuditEvent, writeAudit } from './audit.ts'
import type { Queryable, Tx } from './db/db.ts'
import { uuidv7 } from './ids.ts'
import type { Platform } from './platform.ts'
import type { Audience } from './realtime/audience.ts'

/** What a read of one tenant works with. */
export type ReadCtx = {
  readonly platform: Platform
  readonly tenantId: number
  readonly settings: TenantSettings
  /** Who asks; null for the product itself (ingest, jobs, widget). */
  readonly user: Actor | null
  readonly now: Date
  readonly db: Queryable
}

/** What a change of one tenant works with: events and jobs recorded here belong to the same transaction. */
export type Ctx = Omit<ReadCtx, 'db'> & {
  readonly db: Tx
  newId(): string
  /** Records an event; it is told after the commit. */
  emit<E extends EventSpec>(event: E, payload: z.input<E['payload']>, audience: Audience): void
  /** Records a job; it starts after the commit. Jobs of one `queue` run in order; one waiting job per `key`. */
  enqueue(task: string, payload: object, options?: { key?: string; queue?: string; runAt?: Date }): void
  /** Makes every process read a cached value again: `actors 5:7`, `settings 5`. */
  stale(what: string): void
  /** Tells what an operation with `audit: true` changed, for its record; says nothing where none is under way (jobs). */
  audit(details: AuditDetails): void
  /** Records something in the tenant's audit log, within this transaction. */
  record(event: AuditEvent): void
  afterCommit(work: () => void): void
}

type Base = { tenantId: number; user: Actor | null; audit?: (details: AuditDetails) => void }

/** Runs a read of one tenant. */
export async function reading<T>(
  platform: Platform,
  { tenantId, user }: Base,
  work: (ctx: ReadCtx) => Promise<T>,
): Promise<T> {
  const settings = await platform.settings.get(String(tenantId))
  return platform.db.read(tenantId, (db) => work({ platform, tenantId, settings, user, now: platform.now(), db }))
}

/**
 * Runs one unit of work of one tenant: load → decide → save → tell. The changes feed's number is taken as the last
 * statement (decision B16). A deadlock is tried again, so `work` may run twice; its effects are only what it records.
 */
export async function unit<T>(
  platform: Platform,
  { tenantId, user, audit = () => {} }: Base,
  work: (ctx: Ctx) => Promise<T>,
): Promise<T> {
  const settings = await platform.settings.get(String(tenantId))
  for (let attempt = 1; ; attempt++) {
    const events: { channel: string; type: string; payload: unknown; audience: Audience; kept: boolean }[] = []
    const jobs: { task: string; payload: object; key: string | null; queue: string | null; runAt: Date | null }[] = []
    const records: AuditEvent[] = []
    const stale = new Set<string>()
    const after: (() => void)[] = []
    let announced = 0
    try {
      const { result, head } = await platform.db.write(tenantId, async (db) => {
        const result = await work({
          platform,
          tenantId,
          settings,
          user,
          now: platform.now(),
          db,
          newId: uuidv7,
          emit: (event, payload, audience) => {
            events.push({
              channel: event.channel,
              type: event.type,
              payload: event.payload.parse(payload),
              audience,
              kept: event.kept,
            })
          },
          enqueue: (task, payload, options) => {
            jobs.push({
              task,
              payload,
              key: options?.key ?? null,
              queue: options?.queue ?? null,
              runAt: options?.runAt ?? null,
            })
          },
          stale: (what) => void stale.add(what),
          afterCommit: (then) => void after.push(then),
          audit,
          record: (event) => void records.push(event),
        })
        for (const job of jobs) {
          const payload = JSON.stringify({ ...job.payload, tenantId })
          await sql`select app.add_job(${job.task}, ${payload}::json, ${job.key}, ${job.queue}, ${job.runAt}::timestamptz)`.execute(
            db,
          )
        }
        for (const what of stale) await sql`select pg_notify('guiche_stale', ${what})`.execute(db)
        const kept = events.filter((event) => event.kept)
        if (records.length > 0) await writeAudit(db, platform, tenantId, records)
        if (kept.length === 0) return { result, head: 0 }
        const { rows } = await sql<{
          head: number
        }>`select app.append_changes(${JSON.stringify(kept)}::jsonb) as head`.execute(db)
        announced = rows[0]!.head
        platform.bus.committing(tenantId, announced)
        return { result, head: announced }
      })
      for (const what of stale) platform.bus.stale(what)
      const kept = events.filter((event) => event.kept)
      if (kept.length > 0) {
        const first = head - kept.length + 1
        platform.bus.committed(
          tenantId,
          kept.map((event, index) => ({ ...event, seq: first + index })),
          head,
        )
      }
      for (const event of events) if (!event.kept) platform.bus.tell(tenantId, event)
      for (const then of after) then()
      return result
    } catch (error) {
      platform.bus.notCommitted(tenantId, announced)
      const code = (error as { code?: string }).code
      if (attempt < 4 && (code === '40P01' || code === '40001')) continue
      throw error
    }
  }
}
