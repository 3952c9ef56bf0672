import { followCompanies } from '#features/ledger/server/ports/index.ts'
import { staff, tenantsThatDistribute } from '#features/ledger/server/turns/index.ts'
import { ticketEvents } from '#features/ledger/ticket-rows.ts'
import type { Platform } from '#server/platform.ts'
import { distributeWaiting } from './run.ts'

/** Interval of checks for time-based changes: overflow times, ends of breaks, starts of hours. */
const LOOK_MS = 10_000

/**
 * Runs the distribution in every company that has it enabled, when tickets may wait or agents become available. Returns a
 * function that stops it.
 */
export const followDistribution = (platform: Platform): Promise<() => Promise<void>> =>
  followCompanies(platform, {
    wakes: [ticketEvents.create.type, ticketEvents.update.type, ...staff().changes],
    companies: tenantsThatDistribute,
    run: distributeWaiting,
    lookMs: LOOK_MS,
    failed: 'tickets were not distributed',
  })
