import { z } from 'zod'
import { includes } from '#domain/access/plan.ts'
import type { Hook } from '#features/ledger/server/hooks/index.ts'
import { type LedgerTicket, ledgerFacts, lockLedgerTicket } from '#features/ledger/server/ticket/index.ts'
import { sendSystemMessages } from '#features/ledger/server/writing/index.ts'
import { isOn, type TenantSettings } from '#kit/settings.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import { type Ctx, unit } from '#server/context.ts'
import { job } from '#server/job.ts'
import { questionFor } from './config.ts'
import { publishRating } from './publish.ts'
import { leaveQuestions, noteQuestion, skipEarlierRatings } from './queries-asking.ts'

const HOUR_MS = 3_600_000

// A feature outside of the plan asks no new ratings; pending ones may still be answered.
const asks = (settings: TenantSettings): boolean =>
  isOn(settings, 'ratingStoreUse') && includes(settings.plan, 'ratings')

/** Hook that enqueues the rating question of a ticket that a person closed; the job decides whether it is sent. */
export const askRatings: Hook<'onClosed'> = {
  name: 'ask-ratings',
  run: async (ctx, batch) => {
    for (const { ticketId, how } of batch) if (how === 'person' || how === 'rule') askRating(ctx, ticketId)
    return {}
  },
}

/** Enqueues the rating question of a ticket closed in this transaction, if the company has ratings enabled. */
export function askRating(ctx: Pick<Ctx, 'settings' | 'tenantId' | 'enqueue'>, ticketId: number): void {
  if (asks(ctx.settings)) ctx.enqueue(askJob, { ticketId }, { key: `ask:${ctx.tenantId}:${ticketId}` })
}

/** Hook that cancels the rating questions of reopened tickets. */
export const removeQuestions: Hook<'onOpened'> = {
  name: 'drop-questions',
  run: async (ctx, batch) => {
    const reopened = batch.filter(({ isReopened }) => isReopened).map(({ ticketId }) => ticketId)
    if (reopened.length > 0) await leaveQuestions(ctx.db, reopened)
    return {}
  },
}

/** Job that asks the customer of a closed ticket for a rating: once per closing, idempotent. */
export const askJob = job({
  name: 'messages:ask',
  schema: z.object({ ticketId: z.number() }),
  run: (platform, { tenantId, ticketId }) =>
    unit(platform, { tenantId, user: null }, async (ctx) => {
      if (!asks(ctx.settings)) return
      const ticket = await lockLedgerTicket(ctx.db, ticketId)
      if (!ticket || !(await note(ctx, ticket))) return
      await skipEarlierRatings(ctx.db, ticket.id)
      publishRating(ctx, ticket.id, ledgerFacts(ticket), null)
      await sendSystemMessages(ctx, [{ ticket, text: questionFor(ctx.settings), sendType: 'evaluation' }])
    }),
})

function note({ db, settings, now }: Ctx, { id, channel }: LedgerTicket): Promise<boolean> {
  const { windowHours } = capabilitiesOf(channel)
  const askedSince = windowHours === null ? new Date(0) : new Date(now.getTime() - windowHours * HOUR_MS)
  const expiresAt = new Date(now.getTime() + Number(settings.values.ratingStoreTime))
  return noteQuestion(db, id, { now, expiresAt, askedSince })
}
