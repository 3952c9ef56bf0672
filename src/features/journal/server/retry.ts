import { journalEvents } from '#features/ledger/journal-events.ts'
import { wakeIngest } from '#features/ledger/server/ingest/index.ts'
import { releaseEvents } from '#features/ledger/server/journal/index.ts'
import { type Ctx, unit } from '#server/context.ts'
import type { SlowCtx } from '#server/http/route.ts'
import { COUNTED } from '#server/paging.ts'
import { countSetAside, releaseJobs, tenantsOf } from './queries.ts'

const MOST = 5000
const everything = { search: undefined, fault: undefined, ofAll: false }

type Retried = { retried: number; left: number }

/**
 * Retries set-aside events and jobs, all or the given ones. Events pass the same ingest as new ones: messages are placed by
 * their time, and stored ones are not stored again.
 */
export async function retryEvents(ctx: Ctx, ids: readonly string[] | undefined, most = MOST): Promise<Retried> {
  const retried = (await releaseEvents(ctx.db, ids, most)) + (await releaseJobs(ctx.db, ids, most))
  const left = await countSetAside(ctx.db, everything, COUNTED)
  if (retried > 0) ctx.emit(journalEvents.changed, {}, { kind: 'permission', permission: 'journal:write' })
  ctx.afterCommit(() => wakeIngest(ctx.platform, ctx.tenantId))
  ctx.audit({ target: { retried } })
  return { retried, left }
}

/** Retries set-aside events in every company that has some, one after the other. */
export async function retryEverywhere({ platform, audit }: SlowCtx, ids: readonly string[] | undefined) {
  const total: Retried = { retried: 0, left: 0 }
  for (const tenantId of await platform.db.asPlatform((db) => tenantsOf(db, ids))) {
    if (total.retried >= MOST) break
    const { retried } = await unit(platform, { tenantId, user: null }, (ctx) =>
      retryEvents(ctx, ids, MOST - total.retried),
    )
    total.retried += retried
  }
  total.left = await platform.db.asPlatform((db) => countSetAside(db, { ...everything, ofAll: true }, COUNTED))
  audit({ target: { retried: total.retried } })
  return total
}
