import type { Queryable } from '#server/db/db.ts'
import { plays } from '#server/env.ts'
import type { Platform } from '#server/platform.ts'

/** Time for which events are gathered into one run, in ms. */
const GATHER_MS = 50

/** Background work for each company that is due after events or by time. */
type Following = {
  /** Types of events after which work may be due. */
  readonly wakes: readonly string[]
  /** Returns the companies that may have work, and whether it is due (as far as known); requires platform database access. */
  readonly companies: (db: Queryable, now: Date) => Promise<{ id: number; isDue?: boolean }[]>
  /** Does the work of a company; idempotent, so that another process can finish it. */
  readonly run: (platform: Platform, tenantId: number) => Promise<void>
  /** Interval of looking whether time alone has made work due, in ms. */
  readonly lookMs: number
  /** Log text of a failure. */
  readonly failed: string
}

/** Runs the work of every company, after events and by the clock; returns a function that stops it. */
export async function followCompanies(platform: Platform, following: Following): Promise<() => Promise<void>> {
  if (!plays(platform.env, 'worker')) return async () => {}
  const { companies: find, run: work, lookMs, failed } = following
  const relevant = new Set(following.wakes)
  const companies = new Set<number>()
  const waiting = new Map<number, NodeJS.Timeout>()
  const running = new Map<number, Promise<void>>()
  let isStopping = false

  const run = (tenantId: number) => {
    waiting.delete(tenantId)
    // One after another: later events are handled by the next turn.
    const turn: Promise<void> = (running.get(tenantId) ?? Promise.resolve())
      .then(() => work(platform, tenantId))
      .catch((err: unknown) => platform.log.warn({ err, tenantId }, failed))
      .then(() => void (running.get(tenantId) === turn && running.delete(tenantId)))
    running.set(tenantId, turn)
  }
  const wake = (tenantId: number) => {
    if (isStopping || waiting.has(tenantId)) return
    waiting.set(
      tenantId,
      setTimeout(() => run(tenantId), GATHER_MS),
    )
  }
  const look = async () => {
    const found = await platform.db.askAsPlatform((db) => find(db, platform.now()))
    companies.clear()
    for (const { id } of found) companies.add(id)
    for (const { id, isDue = true } of found) if (isDue) wake(id)
  }
  const carefully = () => look().catch((err: unknown) => platform.log.warn({ err }, failed))
  await carefully()
  const unsubscribe = platform.bus.subscribe((tenantId, changes) => {
    if (companies.has(tenantId) && changes.some(({ type }) => relevant.has(type))) wake(tenantId)
  })
  platform.bus.onStale((what) => {
    const [name, tenantId] = what.split(' ')
    if (name !== 'settings') return
    // Its settings or queues have changed: it may have work from now on.
    companies.add(Number(tenantId))
    wake(Number(tenantId))
  })
  const timer = setInterval(carefully, lookMs)
  return async () => {
    isStopping = true
    unsubscribe()
    clearInterval(timer)
    for (const one of waiting.values()) clearTimeout(one)
    await Promise.all(running.values())
  }
}
