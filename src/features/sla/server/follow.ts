import { messageEvents } from '#features/ledger/message-events-contract.ts'
import { tenantsWithClocks } from '#features/ledger/server/clocks/index.ts'
import { followCompanies } from '#features/ledger/server/ports/index.ts'
import { ticketEvents } from '#features/ledger/ticket-rows.ts'
import type { Platform } from '#server/platform.ts'
import { countClocks } from './count.ts'

/** Interval of checks for time-based changes, and for changed policies, hours or holidays. */
const LOOK_MS = 5000

/** Updates the clocks of companies with policies after every ticket change. Returns a function that stops it. */
export const followClocks = (platform: Platform): Promise<() => Promise<void>> =>
  followCompanies(platform, {
    wakes: [ticketEvents.create.type, ticketEvents.update.type, messageEvents.create.type],
    companies: tenantsWithClocks,
    run: countClocks,
    lookMs: LOOK_MS,
    failed: 'the clocks of tickets were not counted',
  })
