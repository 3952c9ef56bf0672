import { type Actor, may } from '#server/actors.ts'
import type { Queryable } from '#server/db/db.ts'
import type { JobRun } from '#server/job.ts'
import type { Platform } from '#server/platform.ts'
import { isQuietAt } from './notice.ts'
import { findDevice, findSender, markReached, removeSubscription } from './queries.ts'
import { type Pushed, pushTo } from './send.ts'

type Wanted = {
  readonly tenantId: number
  readonly sessionId: string
  readonly can: Parameters<typeof may>[2]
  /** Returns the payload to show now; null if no longer needed. */
  readonly find: (db: Queryable, actor: Actor) => Promise<Pushed | null>
}

/** Sends a notification to a device, unless its user may not read it or has quiet hours; removes a device that is gone. */
export async function informDevice(
  platform: Platform,
  { tenantId, sessionId, can, find }: Wanted,
  { requireOwnership }: JobRun,
): Promise<void> {
  const settings = await platform.settings.get(String(tenantId))
  const device = await platform.db.read(tenantId, (db) => findDevice(db, sessionId, platform.now()))
  const actor = device && (await platform.actors.get(`${tenantId}:${device.userId}`))
  if (!actor || !may(actor, settings, can) || isQuietAt(device, platform)) return
  const [pushed, sender] = await platform.db.read(tenantId, async (db) => [await find(db, actor), await findSender(db)])
  if (!pushed || !sender) return
  requireOwnership()
  const to = { tenantId, sessionId, subscription: device.subscription, sender }
  const isGone = (await pushTo(platform, to, pushed)) === 'gone'
  await platform.db.write(tenantId, async (tx) => {
    if (isGone) await removeSubscription(tx, sessionId)
    else await markReached(tx, sessionId, platform.now())
  })
}
