import { type LedgerTicket, ledgerFacts, lockLedgerTicket, say } from '#features/conversations/server/index.ts'
import { isOn } from '#kit/settings.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import { type Ctx, unit } from '#server/context.ts'
import type { JobDefinition } from '#server/jobs.ts'
import { questionFor } from './config.ts'
import { leaveEarlier, noteQuestion } from './queries-asking.ts'
import { tellRating } from './tell.ts'

const HOUR_MS = 3_600_000

/** Asks the customer of a ticket that was resolved for a rating: once for each closing, however often the job runs. */
export const askJob: JobDefinition = {
  task: 'messages:ask',
  run: (platform, { tenantId, ticketId }) =>
    unit(platform, { tenantId, user: null }, async (ctx) => {
      if (!isOn(ctx.settings, 'ratingStoreUse')) return
      const ticket = await lockLedgerTicket(ctx.db, Number(ticketId))
      if (!ticket || !(await note(ctx, ticket))) return
      await leaveEarlier(ctx.db, ticket.id)
      tellRating(ctx, ticket.id, ledgerFacts(ticket), null)
      await say(ctx, ticket, questionFor(ctx.settings), 'evaluation')
    }),
}

function note({ db, settings, now }: Ctx, { id, channel }: LedgerTicket): Promise<boolean> {
  const { windowHours } = capabilitiesOf(channel)
  const heardSince = windowHours === null ? new Date(0) : new Date(now.getTime() - windowHours * HOUR_MS)
  const expiresAt = new Date(now.getTime() + Number(settings.values.ratingStoreTime))
  return noteQuestion(db, id, { now, expiresAt, heardSince })
}
