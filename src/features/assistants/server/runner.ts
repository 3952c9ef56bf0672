import { plays } from '#server/env.ts'
import { looksInTurn } from '#server/looking.ts'
import type { Platform } from '#server/platform.ts'
import { dueTurns, renewLeases } from './queries-turns.ts'
import { MOST, mayBegin } from './share.ts'
import { runTurn } from './turn.ts'

const LOOK_EVERY_MS = 1000
const LEASE_MS = 12_000
const RENEW_EVERY_MS = 3000

const nudges = new WeakMap<Platform, (at: number) => void>()

/** Schedules a search for due turns at a time (epoch ms). */
export const nudgeTurns = (platform: Platform, at: number): void => nudges.get(platform)?.(at)

/**
 * Runs due turns in their own pool, so that waiting for a provider blocks no job or message, and no company blocks another.
 * Turns of a dead process are taken over when their lease expires. Returns a function that stops it.
 */
export function startTurns(platform: Platform): () => Promise<void> {
  if (!plays(platform.env, 'worker')) return async () => {}
  const holder = crypto.randomUUID()
  const running = new Map<string, { readonly tenantId: number; readonly done: Promise<void> }>()
  const timers = new Set<NodeJS.Timeout>()

  const countOf = (tenantId: number) => [...running.values()].filter((one) => one.tenantId === tenantId).length
  const begin = (tenantId: number, id: string) => {
    const lease = () => new Date(platform.now().getTime() + LEASE_MS)
    const done = runTurn(platform, { tenantId, id, holder, lease })
      .catch((err) => platform.log.error({ err, tenantId }, 'a turn of an assistant failed'))
      .finally(() => {
        running.delete(id)
        // Messages that arrived meanwhile may be due.
        looks.look()
      })
    running.set(id, { tenantId, done })
  }
  const lookOnce = async () => {
    const due = await platform.db.askAsPlatform((db) => dueTurns(db, platform.now(), MOST * 2))
    for (const { tenantId, id } of due) {
      if (looks.isStopped() || running.size >= MOST) return
      if (!running.has(id) && mayBegin(running.size, countOf(tenantId))) begin(tenantId, id)
    }
  }
  const looks = looksInTurn(lookOnce, (err) =>
    platform.log.warn({ err }, 'turns of assistants could not be looked for'),
  )
  const renew = () =>
    running.size === 0
      ? undefined
      : platform.db
          .asPlatform((db) =>
            renewLeases(db, holder, [...running.keys()], new Date(platform.now().getTime() + LEASE_MS)),
          )
          .catch((err) => platform.log.warn({ err }, 'leases of turns could not be renewed'))
  nudges.set(platform, (at) => {
    const timer = setTimeout(
      () => {
        timers.delete(timer)
        looks.look()
      },
      Math.max(0, at - platform.now().getTime()),
    )
    timers.add(timer)
  })
  const every = [setInterval(looks.look, LOOK_EVERY_MS), setInterval(() => void renew(), RENEW_EVERY_MS)]
  return async () => {
    nudges.delete(platform)
    for (const timer of [...timers, ...every]) clearTimeout(timer)
    await looks.stop()
    // Calls in progress are repeated by the next process; their results are stored completely or not at all.
  }
}
