import type { Action } from '#domain/actions/actions.ts'
import type { SkipReason } from '#domain/campaigns/eligibility.ts'
import { stateOfMessage } from '#domain/campaigns/states.ts'
import { isOptOut, ownOptOuts } from '#domain/consents/consents.ts'
import { findChatFlow } from '#features/ledger/server/commands/index.ts'
import type { Hook } from '#features/ledger/server/hooks/index.ts'
import type { StatusHook } from '#features/ledger/server/ports/index.ts'
import { actUnattended } from '#features/tickets/server/actions/index.ts'
import { handToFlows } from '#features/tickets/server/change/index.ts'
import { isOn } from '#kit/settings.ts'
import { type Ctx, unit } from '#server/context.ts'
import type { Platform } from '#server/platform.ts'
import { campaignEvents } from '../contract.ts'
import { addUp, finishDone, tenantsWithTicks } from './queries.ts'
import { type Answered, findUnanswered, markAnswered, moveByMessage } from './queries-items.ts'
import { scheduleFollowUps } from './series.ts'
import { SEND_TYPES } from './turn.ts'

/** Time in which a contact's message counts as an answer, in ms. */
const ANSWERED_WITHIN_MS = 30 * 24 * 3_600_000

/** Hook that updates recipients by the status of their messages. */
export const followStatuses: StatusHook = {
  name: 'campaign-statuses',
  sendTypes: Object.values(SEND_TYPES),
  run: (ctx, changes) =>
    moveByMessage(
      ctx.db,
      // Contacts who withdrew after their message was written are skipped like those who did before.
      changes.map(({ messageId, status, errorCode }) =>
        errorCode === 'ERR_OPTED_OUT'
          ? { messageId, state: 'skipped', reason: 'revoked' satisfies SkipReason }
          : { messageId, state: stateOfMessage(status), reason: errorCode ?? '' },
      ),
      ctx.now,
    ),
}

/** Hook that counts answers to dispatches, once per recipient, and applies the queue and tag that the dispatch names. */
export const takeCampaignAnswers: Hook<'onMessageSent'> = {
  name: 'campaign-answers',
  concerns: ({ fromMe, isNote, isLate, isGroup }) => !fromMe && !isNote && !isLate && !isGroup,
  run: async (ctx, batch) => {
    if (!isOn(ctx.settings, 'campaignAnswers')) return {}
    const texts = new Map(batch.map(({ ticketId, text }) => [ticketId, text]))
    const since = new Date(ctx.now.getTime() - ANSWERED_WITHIN_MS)
    const answered = await findUnanswered(ctx.db, [...texts.keys()], since)
    if (answered.length === 0) return {}
    const own = ownOptOuts(ctx.settings.values.optOutWords)
    const marked = answered.map((one) => ({ ...one, optsOut: isOptOut(texts.get(one.ticketId) ?? '', own) }))
    await markAnswered(ctx.db, marked, ctx.now)
    const attends = new Set<number>()
    // Opt-outs are left to their own handler.
    for (const one of marked) if (!one.optsOut && (await route(ctx, one))) attends.add(one.ticketId)
    for (const id of await startFlows(ctx, marked)) attends.add(id)
    return { attends }
  },
}

/** Applies the dispatch's tag and queue to an answer's ticket; returns whether a queue attends it from now on. */
async function route(ctx: Ctx, { ticketId, name, replyQueueId, replyTagId }: Answered): Promise<boolean> {
  const actions: Action[] = [
    ...(replyTagId === null ? [] : [{ kind: 'tag' as const, tagIds: [replyTagId] }]),
    ...(replyQueueId === null ? [] : [{ kind: 'queue' as const, queueId: replyQueueId }]),
  ]
  if (actions.length > 0) await actUnattended(ctx, ticketId, actions, name)
  return replyQueueId !== null
}

/** Passes waiting tickets to the chat flow of their dispatch; returns those that a flow attends now. */
async function startFlows(ctx: Ctx, answers: readonly (Answered & { optsOut: boolean })[]): Promise<number[]> {
  const wanted = new Map<number, NonNullable<Awaited<ReturnType<typeof findChatFlow>>>>()
  const byFlow = Map.groupBy(answers, ({ optsOut, replyFlowId }) => (optsOut ? null : replyFlowId))
  for (const [id, group] of byFlow) {
    const flow = id === null ? undefined : await findChatFlow(ctx.db, id)
    if (flow) for (const { ticketId } of group) wanted.set(ticketId, flow)
  }
  return handToFlows(ctx, wanted, (row) => row.status === 'pending' && row.chat_flow_id === null)
}

/** Sums up the pending counts, finishes done dispatches, and publishes each dispatch at most once per call. */
export async function addUpCounts(platform: Platform): Promise<void> {
  for (const tenantId of await platform.db.asPlatform(tenantsWithTicks))
    await unit(platform, { tenantId, user: null }, async (ctx) => {
      const changed = await addUp(ctx.db)
      const done = changed.length > 0 ? await finishDone(ctx.db, changed, ctx.now) : []
      await scheduleFollowUps(ctx, done)
      const audience = { kind: 'permission', permission: 'campaigns:write' } as const
      for (const id of changed) ctx.emit(campaignEvents.progress, { id }, audience)
      for (const id of done) ctx.emit(campaignEvents.changed, { id, action: 'update' }, audience)
    })
}
