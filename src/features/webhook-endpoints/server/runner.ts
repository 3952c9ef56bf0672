import { unit } from '#server/context.ts'
import { plays } from '#server/env.ts'
import { looksInTurn } from '#server/looking.ts'
import type { Platform } from '#server/platform.ts'
import { claim, type Due, listDue, lockEndpoint } from './queries-deliveries.ts'
import { ANSWER_MS, deliver } from './send.ts'
import { setRunner } from './wake.ts'

/** Maximum number of concurrent calls per process, and per endpoint over all processes. */
const MOST = 8
const MOST_OF_ENDPOINT = 2
/** Maximum number of concurrent calls to recently failing endpoints, so that slow ones leave room for others. */
const MOST_OF_FAILING = 4
const LOOK_EVERY_MS = 1000
/** Lease of a delivery, longer than any call; deliveries of a dead process are sent by another one. */
const LEASE_MS = ANSWER_MS + 10_000

/** Claims a delivery and sends it; returns false if another process has it, or its endpoint has too many calls in progress. */
export async function sendDue(platform: Platform, due: Due, answerMs?: number): Promise<boolean> {
  const { tenantId, id, endpointId } = due
  const claimed = await unit(platform, { tenantId, user: null }, async ({ db, now }) => {
    if (!(await lockEndpoint(db, endpointId))) return
    return claim(db, { id, endpointId, now, until: new Date(now.getTime() + LEASE_MS), most: MOST_OF_ENDPOINT })
  })
  if (!claimed) return false
  await platform.checkpoint('webhook claimed')
  await deliver(platform, tenantId, claimed, answerMs)
  return true
}

/** Returns the end of the lease of a delivery sent at once. */
export const leaseFrom = (now: Date): Date => new Date(now.getTime() + LEASE_MS)

/**
 * Sends due deliveries in their own pool, so that a slow endpoint delays no job, message or other endpoint. Returns a
 * function that stops it after the calls in progress.
 */
export function startRunner(platform: Platform): () => Promise<void> {
  if (!plays(platform.env, 'worker')) return async () => {}
  const running = new Map<string, { readonly due: Due; readonly done: Promise<void> }>()

  const mayBegin = (due: Due): boolean => {
    const all = [...running.values()]
    if (all.length >= MOST || running.has(due.id)) return false
    if (all.filter((one) => one.due.endpointId === due.endpointId).length >= MOST_OF_ENDPOINT) return false
    return !due.isFailing || all.filter((one) => one.due.isFailing).length < MOST_OF_FAILING
  }
  const lookOnce = async () => {
    if (running.size >= MOST) return
    const found = await platform.db.askAsPlatform((db) => listDue(db, platform.now(), MOST_OF_ENDPOINT, MOST * 8))
    for (const due of found) {
      if (looks.isStopped()) return
      if (!mayBegin(due)) continue
      const done = sendDue(platform, due)
        .catch((err: unknown) => {
          platform.log.warn({ err, tenantId: due.tenantId }, 'a webhook could not be sent')
          return false
        })
        .then((isSent) => {
          running.delete(due.id)
          // Deliveries that could not be claimed are searched again in the next round.
          if (isSent) looks.look()
        })
      running.set(due.id, { due, done })
    }
  }
  const looks = looksInTurn(lookOnce, (err) =>
    platform.log.warn({ err }, 'webhooks that are due could not be looked for'),
  )
  setRunner(platform, looks.look)
  const timer = setInterval(looks.look, LOOK_EVERY_MS)
  return async () => {
    setRunner(platform, null)
    clearInterval(timer)
    await looks.stop()
    await Promise.all([...running.values()].map(({ done }) => done))
  }
}
