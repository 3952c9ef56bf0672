import { removeApprovals, removeEffects } from '#features/api-service/server/index.ts'
import { removeCalls, removeTurns } from '#features/assistants/server/index.ts'
import { removeImports } from '#features/contacts/server/index.ts'
import { removeReplays } from '#features/flows/server/index.ts'
import { removeWaitingActs } from '#features/ledger/server/acts/index.ts'
import { removeJournal, removeProcessed } from '#features/ledger/server/journal/index.ts'
import { removeCards } from '#features/ledger/server/links/index.ts'
import { removeTrail } from '#features/ledger/server/messages/index.ts'
import { removeRuns } from '#features/rules/server/index.ts'
import { removeSessions } from '#features/users/server/index.ts'
import { removeDeliveries } from '#features/webhook-endpoints/server/index.ts'
import { removeBulk } from '#server/bulk/queries.ts'
import { removeKeys } from '#server/db/directory.ts'
import { removeLimits } from '#server/db/limit-store.ts'
import type { CompanyRemoval, Removal } from '#server/db/removal.ts'
import { removeOrphans } from '#server/files/orphans.ts'
import { removeIdempotencyKeys } from '#server/http/queries.ts'
import type { Platform } from '#server/platform.ts'
import { removeSignups } from '#server/providers/queries-sign-ins.ts'
import { removeChanges } from '#server/realtime/queries.ts'
import { listTenants, removeJobs } from './queries.ts'

const HOUR_MS = 3600_000
const DAY_MS = 24 * HOUR_MS

/** Retention times of tenant data (decision B28); the audit log has its own retention. */
const ofCompany = [
  { remove: removeJournal, after: 30 * DAY_MS },
  { remove: removeProcessed, after: 30 * DAY_MS },
  { remove: removeTrail, after: 180 * DAY_MS },
  { remove: removeRuns, after: 180 * DAY_MS },
  { remove: removeReplays, after: 30 * DAY_MS },
  { remove: removeTurns, after: 180 * DAY_MS },
  // A year of costs can be compared with the one before.
  { remove: removeCalls, after: 730 * DAY_MS },
  { remove: removeWaitingActs, after: 7 * DAY_MS },
  { remove: removeChanges, after: 7 * DAY_MS },
  { remove: removeBulk, after: 30 * DAY_MS },
  { remove: removeIdempotencyKeys, after: 24 * HOUR_MS },
  { remove: removeSessions, after: 30 * DAY_MS },
  { remove: removeCards, after: 30 * DAY_MS },
  { remove: removeImports, after: 30 * DAY_MS },
  { remove: removeDeliveries, after: 30 * DAY_MS },
  { remove: removeEffects, after: DAY_MS },
  { remove: removeApprovals, after: 30 * DAY_MS },
  { remove: removeSignups, after: 0 },
] satisfies { remove: CompanyRemoval; after: number }[]

const ofInstallation = [
  { remove: removeKeys, after: 0 },
  { remove: removeLimits, after: HOUR_MS },
  { remove: removeJobs, after: 7 * DAY_MS },
] satisfies { remove: Removal; after: number }[]

const ORPHANED_MS = DAY_MS

/**
 * Removes expired data in batches, each in its own transaction: an interrupted run is continued by the next, and concurrent
 * runs do no harm. A failure for one company is logged and retried the next day. Covers all companies, or those in
 * `companies`.
 */
export async function tidy(
  platform: Platform,
  { batch = 1000, signal, companies }: { batch?: number; signal?: AbortSignal; companies?: readonly number[] } = {},
): Promise<void> {
  const { db, log } = platform
  const untilFew = async (remove: () => Promise<number>) => {
    while (!signal?.aborted && (await remove()) >= batch);
  }
  const before = (after: number) => new Date(platform.now().getTime() - after)
  for (const { remove, after } of ofInstallation)
    await untilFew(() => db.asPlatform((tx) => remove(tx, before(after), batch)))
  for (const tenantId of companies ?? (await db.asPlatform(listTenants))) {
    if (signal?.aborted) return
    try {
      for (const { remove, after } of ofCompany)
        await untilFew(() => db.asPlatform((tx) => remove(tx, before(after), batch, tenantId)))
      await removeOrphans(platform, tenantId, { before: before(ORPHANED_MS), signal })
    } catch (err) {
      log.error({ err, tenantId }, 'upkeep of a company failed')
    }
  }
}
