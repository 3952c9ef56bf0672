import { type Ctx, unit } from '#server/context.ts'
import type { Platform } from '#server/platform.ts'
import { applyMessages, conversationOf } from './apply-messages.ts'
import { applyReceipts } from './apply-receipts.ts'
import { markFailed, nextEntries, type TakenEntry, takeEntries, tenantsWithWaiting } from './journal-queries.ts'

const BATCH = 50

const turns = new WeakMap<Platform, Map<number, { running: Promise<void>; again: boolean }>>()

/** Starts processing a tenant's journal unless it runs already; then it goes on once more. */
export function wakeIngest(platform: Platform, tenantId: number): void {
  const ofPlatform = turns.get(platform) ?? new Map()
  turns.set(platform, ofPlatform)
  const turn = ofPlatform.get(tenantId)
  if (turn) {
    turn.again = true
    return
  }
  const mine = { running: Promise.resolve(), again: false }
  ofPlatform.set(tenantId, mine)
  mine.running = (async () => {
    do {
      mine.again = false
      while ((await processBatch(platform, tenantId)) === BATCH);
    } while (mine.again)
  })()
    .catch((err) => platform.log.error({ err, tenantId }, 'ingest stopped; the recovery goes on'))
    .finally(() => {
      ofPlatform.delete(tenantId)
      // Woken after its last look and before it was seen to have ended.
      if (mine.again) wakeIngest(platform, tenantId)
    })
}

/** Waits until nothing is being processed in this process (tests, shutdown). */
export async function ingestIdle(platform: Platform): Promise<void> {
  const ofPlatform = turns.get(platform)
  while (ofPlatform && ofPlatform.size > 0) await Promise.all([...ofPlatform.values()].map((turn) => turn.running))
}

/** Wakes every tenant that has something waiting: at start, and every few seconds for what was left behind. */
export async function recoverIngest(platform: Platform): Promise<void> {
  for (const tenantId of await platform.db.asPlatform(tenantsWithWaiting)) wakeIngest(platform, tenantId)
}

/**
 * Processes the next events of a tenant in one transaction; answers how many there were. A batch that fails is taken
 * one by one, so that a single bad event is counted and put aside without holding up the others.
 */
async function processBatch(platform: Platform, tenantId: number): Promise<number> {
  const base = { tenantId, user: null }
  try {
    return await unit(platform, base, async (ctx) => {
      const entries = await takeEntries(ctx.db, tenantId, BATCH)
      await apply(ctx, entries)
      return entries.length
    })
  } catch (err) {
    platform.log.warn({ err, tenantId }, 'a batch failed and is taken one by one')
  }
  const entries = await unit(platform, base, (ctx) => nextEntries(ctx.db, BATCH))
  const held = new Set<string>()
  for (const entry of entries) {
    const conversation = conversationOf(entry.connection_id, entry.payload.conversationKey)
    // A conversation keeps its order: what comes after a failure waits with it, other conversations go on.
    if (held.has(conversation)) continue
    try {
      await unit(platform, base, async (ctx) => apply(ctx, await takeEntries(ctx.db, tenantId, 1, entry.id)))
    } catch (err) {
      held.add(conversation)
      platform.log.error({ err, tenantId, journalId: entry.id }, 'an event failed')
      await unit(platform, base, (ctx) => markFailed(ctx.db, entry.id, (err as Error).message.slice(0, 500)))
    }
  }
  return held.size > 0 ? 0 : entries.length
}

async function apply(ctx: Ctx, entries: readonly TakenEntry[]): Promise<void> {
  if (entries.length === 0) return
  await applyMessages(ctx, entries)
  await applyReceipts(ctx, entries)
  await ctx.platform.checkpoint('before ingest commit')
}
