import { followCompanies } from '#features/ledger/server/ports/index.ts'
import { staff, tenantsThatDistribute } from '#features/ledger/server/turns/index.ts'
import { ticketEvents } from '#features/ledger/ticket-rows.ts'
import type { Platform } from '#server/platform.ts'
import { distributeWaiting } from './run.ts'

/** So often it is looked whether time alone has changed something: minutes are over, breaks end, hours begin. */
const LOOK_MS = 10_000

/** Distributes in every company that wants it, as soon as something may wait or somebody be free. Answers how to stop. */
export const followDistribution = (platform: Platform): Promise<() => Promise<void>> =>
  followCompanies(platform, {
    wakes: [ticketEvents.create.type, ticketEvents.update.type, ...staff().changes],
    companies: tenantsThatDistribute,
    run: distributeWaiting,
    lookMs: LOOK_MS,
    failed: 'tickets were not distributed',
  })
