import { localTime, offsetMinutes } from '#domain/calendar/local-time.ts'
import { lockLedgerTicket } from '#features/ledger/server/ticket/index.ts'
import { notifyReplay } from '#features/tickets/server/notifications/index.ts'
import { type Ctx, reading } from '#server/context.ts'
import type { Platform } from '#server/platform.ts'
import { differentIn, flowsToCheck, listCompanies, type ReplayCounts } from './queries-replay.ts'
import { playPeriod } from './replay.ts'

const DAY_MS = 24 * 3_600_000
/** Hours of the nightly check, in the company's time zone. */
const NIGHT = { from: 1, to: 5 }
const SAMPLE = 200

/**
 * Replays a sample of the last day's conversations of each published flow once a night, on the versions that they followed;
 * the result must be identical. A failure is retried at the next run.
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
        await checkNight(platform, { tenantId, chatFlowId, from, to })
      } catch (err) {
        platform.log.warn({ err, tenantId, chatFlowId }, 'conversations of a flow could not be replayed')
      }
    }
  }
}

/** Replays conversations of one flow. Reports differences in the log, on the flow, and as a notification to leads. */
export async function checkNight(
  platform: Platform,
  { tenantId, ...wanted }: { tenantId: number; chatFlowId: number; from: Date; to: Date },
): Promise<ReplayCounts> {
  const { counts } = await playPeriod({ platform, tenantId }, { ...wanted, draft: null, most: SAMPLE, onStored: ring })
  const { total, same, unplayable } = counts
  if (same < total)
    platform.log.error(
      { tenantId, chatFlowId: wanted.chatFlowId, total, same, unplayable },
      'conversations do not replay',
    )
  return counts
}

async function ring(ctx: Ctx, { id, counts }: { id: number; counts: ReplayCounts }): Promise<void> {
  const different = await differentIn(ctx.db, id)
  const ticket = different && (await lockLedgerTicket(ctx.db, different.ticketId))
  if (!ticket) return
  const others = counts.total - counts.same - counts.unplayable - 1
  const more = others > 0 ? ` Outras ${others} também não: veja “Repetir conversas” no construtor.` : ''
  await notifyReplay(
    ctx,
    ticket,
    `Repetida esta noite na versão que seguiu, esta conversa com o chatbot “${different.name}” não saiu como foi.${more}`,
  )
}
