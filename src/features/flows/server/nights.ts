import { localTime, offsetMinutes } from '#domain/calendar/local-time.ts'
import { reading } from '#server/context.ts'
import type { Platform } from '#server/platform.ts'
import { flowsToCheck, listCompanies } from './queries-replay.ts'
import { playPeriod } from './replay.ts'

const DAY_MS = 24 * 3_600_000
/** Between these hours of the company's clock. */
const NIGHT = { from: 1, to: 5 }
const SAMPLE = 200

/**
 * Plays some of the last day's conversations of each published flow on the versions that they followed, once a night: they
 * have to go as they went. A difference is told in the log, and beside the flow; what fails is tried again next time.
 */
export async function checkNights(platform: Platform, signal: AbortSignal): Promise<void> {
  for (const tenantId of await platform.db.asPlatform(listCompanies)) {
    const to = platform.now()
    const from = new Date(to.getTime() - DAY_MS)
    const due = await reading(platform, { tenantId, user: null }, async ({ db, settings }) => {
      const { hour } = localTime(to.getTime(), offsetMinutes(settings.timezone, to.getTime()))
      return hour >= NIGHT.from && hour < NIGHT.to ? flowsToCheck(db, new Date(to.getTime() - DAY_MS / 2)) : []
    })
    for (const chatFlowId of due) {
      if (signal.aborted) return
      try {
        const wanted = { chatFlowId, from, to, draft: null, most: SAMPLE }
        const { counts } = await playPeriod({ platform, tenantId }, wanted)
        const { total, same, unplayable } = counts
        if (same < total)
          platform.log.error({ tenantId, chatFlowId, total, same, unplayable }, 'conversations do not replay')
      } catch (err) {
        platform.log.warn({ err, tenantId, chatFlowId }, 'conversations of a flow could not be replayed')
      }
    }
  }
}
