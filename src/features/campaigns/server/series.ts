import { z } from 'zod'
import { nextOccurrence } from '#domain/recurrence/recurrence.ts'
import { contactFilter } from '#features/contacts/contract.ts'
import { type Narrowing, narrowedContacts, narrowingOf, onlyFor } from '#features/contacts/server/index.ts'
import { errorText } from '#kit/errors.ts'
import { type Actor, readActor } from '#server/actors.ts'
import { type Ctx, type ReadCtx, unit } from '#server/context.ts'
import type { Queryable } from '#server/db/db.ts'
import { job } from '#server/job.ts'
import type { Platform } from '#server/platform.ts'
import { campaignEvents } from '../contract.ts'
import { AUDIENCE, dispatchOf } from './moves.ts'
import {
  type Chosen,
  type DispatchRecord,
  dispatchesToOpen,
  findDispatch,
  insertOnce,
  lockDispatch,
  updateDispatch,
} from './queries.ts'
import { addItems, connectionsOf, copyItems } from './queries-items.ts'
import { enqueueTurn } from './turn.ts'

const KINDS = ['campaign']
const DAY_MS = 24 * 3_600_000

type Choosing = Pick<ReadCtx, 'settings' | 'now'> & { readonly db: Queryable; readonly user: Actor }

/** Returns the selected contacts that a user may see, without groups. */
export async function contactsOf(ctx: Choosing, chosen: Chosen) {
  const narrowing: Narrowing =
    'contacts' in chosen
      ? { ids: chosen.contacts, conditions: [] }
      : (await narrowingOf(ctx, contactFilter.parse(chosen.filter))).narrowing
  return narrowedContacts(ctx.db, onlyFor(ctx), narrowing).select('contacts.id').where('contacts.is_group', '=', false)
}

/** Returns the columns of a campaign that its copies take over. */
export const columnsOf = (row: DispatchRecord) => ({
  ...{ connection_id: row.connectionId, delay: row.delay, messages: JSON.stringify(row.messages) },
  ...{ template: row.template && JSON.stringify(row.template), file_id: row.fileId },
  ...{ window_start: row.windowStart, window_end: row.windowEnd, weekdays: JSON.stringify(row.weekdays) },
  ...{ skips_holidays: row.skipsHolidays, purpose: row.purpose, per_week: row.perWeek, skips_open: row.skipsOpen },
  ...{ reply_queue_id: row.replyQueueId, reply_tag_id: row.replyTagId, reply_flow_id: row.replyFlowId },
  ...{ recurrence: row.recurrence, follow_up: row.followUp && JSON.stringify(row.followUp) },
  audience: JSON.stringify(row.audience),
})

/** Job that prepares the start of a dispatch: selects recipients anew, and creates the next occurrence. */
export const openJob = job({
  name: 'campaigns:open',
  schema: z.object({ id: z.number() }),
  run: (platform, { tenantId, id }) => unit(platform, { tenantId, user: null }, (ctx) => open(ctx, id)),
})

/** Enqueues the preparation of every dispatch whose start has come. */
export async function openDue(platform: Platform): Promise<void> {
  for (const { tenantId, id } of await platform.db.asPlatform((db) => dispatchesToOpen(db, platform.now())))
    await unit(platform, { tenantId, user: null }, async (ctx) =>
      ctx.enqueue(openJob, { id }, { key: `campaign-open:${tenantId}:${id}` }),
    )
}

/**
 * Prepares a dispatch in one transaction, so that a repeated job finds it done: `awaits_start` is off, and the next
 * occurrence exists.
 */
async function open(ctx: Ctx, id: number): Promise<void> {
  const status = await lockDispatch(ctx.db, id, KINDS)
  if (status !== 'scheduled' && status !== 'processing' && status !== 'finished') return
  const dispatch = await dispatchOf(ctx, id, KINDS)
  if (!dispatch.awaitsStart) return
  await updateDispatch(ctx.db, id, { awaits_start: false }, ctx.now)
  if (dispatch.recurrence) await makeNext(ctx, dispatch, dispatch.recurrence)
  // Recipients of the first occurrence were chosen before it was started; it may have ended already.
  if (status !== 'finished' && (dispatch.previousId !== null || dispatch.followsUp))
    await chooseRecipients(ctx, dispatch)
  ctx.emit(campaignEvents.changed, { id, action: 'update' }, AUDIENCE)
}

async function makeNext(ctx: Ctx, dispatch: DispatchRecord, rule: string): Promise<void> {
  const from = dispatch.repeatsFrom ?? dispatch.startAt
  const after = Math.max(ctx.now.getTime(), dispatch.startAt.getTime())
  const next = nextOccurrence(rule, { from: from.getTime(), after, zone: ctx.settings.timezone })
  if (next === null) return
  const about = { kind: 'campaign', name: dispatch.name, user_id: dispatch.userId, status: 'scheduled' }
  const series = { start_at: new Date(next), repeats_from: from, previous_id: dispatch.id, awaits_start: true }
  const id = await insertOnce(ctx.db, { ...columnsOf(dispatch), ...about, ...series }, ctx.now)
  if (id !== undefined) ctx.emit(campaignEvents.changed, { id, action: 'create' }, AUDIENCE)
}

async function chooseRecipients(ctx: Ctx, dispatch: DispatchRecord): Promise<void> {
  const { id, connectionId, userId, audience, previousId, parentId } = dispatch
  const author = userId === null ? null : await readActor(ctx.db, ctx.tenantId, userId)
  const pause = (pause_reason: string) => updateDispatch(ctx.db, id, { status: 'paused', pause_reason }, ctx.now)
  if (connectionId === null) return pause(errorText('ERR_NO_WAPP_FOUND'))
  if (!author) return pause('Quem criou a campanha não tem mais acesso; os contatos não foram escolhidos.')
  const to = { dispatchId: id, connectionIds: [connectionId] }
  if (dispatch.followsUp) await copyItems(ctx.db, to, { from: parentId ?? 0, onlySilent: true })
  else if (audience.length === 0) await copyItems(ctx.db, to, { from: previousId ?? 0, onlySilent: false })
  for (const chosen of dispatch.followsUp ? [] : audience)
    await addItems(ctx.db, to, await contactsOf({ ...ctx, user: author }, chosen))
  const connections = await connectionsOf(ctx.db, id)
  const ended = { status: 'finished', started_at: ctx.now, finished_at: ctx.now }
  if (connections.length === 0) await updateDispatch(ctx.db, id, ended, ctx.now)
  for (const one of connections) enqueueTurn(ctx, one)
}

/** Schedules the follow-ups of campaigns that have just finished; each campaign has at most one. */
export async function scheduleFollowUps(ctx: Ctx, ids: readonly number[]): Promise<void> {
  for (const one of ids) {
    const dispatch = await findDispatch(ctx.db, one, KINDS)
    if (!dispatch?.followUp) continue
    const { days, message, template } = dispatch.followUp
    const about = {
      ...{ kind: 'campaign', name: `${dispatch.name} (sem resposta)`.slice(0, 120), user_id: dispatch.userId },
      messages: JSON.stringify(template ? [] : [{ body: message, weight: 1 }]),
      template: template && JSON.stringify(template),
      // Recurrence and follow-up belong to the campaign alone.
      ...{ file_id: null, recurrence: null, follow_up: null, audience: '[]' },
      ...{ status: 'scheduled', awaits_start: true, follows_up: true, parent_id: dispatch.id },
      start_at: new Date(ctx.now.getTime() + days * DAY_MS),
    }
    const id = await insertOnce(ctx.db, { ...columnsOf(dispatch), ...about }, ctx.now)
    if (id !== undefined) ctx.emit(campaignEvents.changed, { id, action: 'create' }, AUDIENCE)
  }
}
