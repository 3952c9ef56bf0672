import type { Queryable } from '#server/db/db.ts'
import { plays } from '#server/env.ts'
import type { Platform } from '#server/platform.ts'

/** What comes together is done together. */
const GATHER_MS = 50

/** Work that a company needs whenever something changes in it, or time has passed. */
type Following = {
  /** The types of events after which there may be something to do. */
  readonly wakes: readonly string[]
  /** The companies that may need it, and whether there is something to do now (as far as that is known); as the platform. */
  readonly companies: (db: Queryable, now: Date) => Promise<{ id: number; isDue?: boolean }[]>
  /** Done again it finds nothing; what a process leaves undone another one finds. */
  readonly run: (platform: Platform, tenantId: number) => Promise<void>
  /** So often it is looked whether time alone has changed something. */
  readonly lookMs: number
  /** What the log says where it fails. */
  readonly failed: string
}

/** Works for every company that needs it, as soon as something changes there and by the clock. Answers how to stop. */
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
    // One after another: what came meanwhile is looked at behind it.
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
    // Its settings or its queues: it may need it from now on.
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
