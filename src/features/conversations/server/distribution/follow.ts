import { plays } from '#server/env.ts'
import type { Platform } from '#server/platform.ts'
import { ticketEvents } from '../../tickets-contract.ts'
import { tenantsThatDistribute } from './queries.ts'
import { distributeWaiting } from './run.ts'
import { staff } from './staff.ts'

/** What comes together is given together. */
const GATHER_MS = 50
/** So often it is looked whether time alone has changed something: minutes are over, breaks end, hours begin. */
const LOOK_MS = 10_000

/**
 * Distributes in every company that wants it, as soon as something changes there, and whenever time may have changed
 * something; what a process leaves undone another one finds. Answers how to stop.
 */
export async function followDistribution(platform: Platform): Promise<() => Promise<void>> {
  if (!plays(platform.env, 'worker')) return async () => {}
  // What may let something wait, or make somebody free.
  const relevant = new Set([ticketEvents.create.type, ticketEvents.update.type, ...staff().changes])
  const companies = new Set<number>()
  const waiting = new Map<number, NodeJS.Timeout>()
  const running = new Map<number, Promise<void>>()
  let isStopping = false

  const run = (tenantId: number) => {
    waiting.delete(tenantId)
    // One after another: what came meanwhile is looked at behind it.
    const turn: Promise<void> = (running.get(tenantId) ?? Promise.resolve())
      .then(() => distributeWaiting(platform, tenantId))
      .catch((err: unknown) => platform.log.warn({ err, tenantId }, 'tickets were not distributed'))
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
    const found = await platform.db.askAsPlatform(tenantsThatDistribute)
    companies.clear()
    for (const { id } of found) companies.add(id)
    for (const id of companies) wake(id)
  }
  const carefully = () =>
    look().catch((err: unknown) => platform.log.warn({ err }, 'companies that distribute were not read'))
  await carefully()
  const unsubscribe = platform.bus.subscribe((tenantId, changes) => {
    if (companies.has(tenantId) && changes.some(({ type }) => relevant.has(type))) wake(tenantId)
  })
  platform.bus.onStale((what) => {
    const [name, tenantId] = what.split(' ')
    if (name !== 'settings') return
    // Its settings or its queues: it may have begun to distribute.
    companies.add(Number(tenantId))
    wake(Number(tenantId))
  })
  const timer = setInterval(carefully, LOOK_MS)
  return async () => {
    isStopping = true
    unsubscribe()
    clearInterval(timer)
    for (const one of waiting.values()) clearTimeout(one)
    await Promise.all(running.values())
  }
}
