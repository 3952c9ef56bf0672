import { z } from 'zod'
import { fallOf, outreachOf } from '#domain/campaigns/care.ts'
import { obstacleTo } from '#domain/campaigns/eligibility.ts'
import { sendingTime } from '#domain/campaigns/hours.ts'
import { withLinks } from '#domain/campaigns/links.ts'
import { nextDelay } from '#domain/campaigns/pacing.ts'
import { variantOf } from '#domain/campaigns/variants.ts'
import { change, NO_FLOW } from '#domain/tickets/transitions.ts'
import { mayBeAsked, revokedAmong } from '#features/consents/server/index.ts'
import { usableTemplate } from '#features/ledger/server/hooks/index.ts'
import { lockPaceOf } from '#features/ledger/server/outbox/index.ts'
import { writeToEach } from '#features/tickets/server/begin/index.ts'
import { moveUnattended } from '#features/tickets/server/change/index.ts'
import { AppError, errorText } from '#kit/errors.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import { companyHours } from '#server/company-hours.ts'
import { type Ctx, unit } from '#server/context.ts'
import { job } from '#server/job.ts'
import type { Platform } from '#server/platform.ts'
import { campaignEvents } from '../contract.ts'
import { firstContactAt, numberFacts } from './care.ts'
import { shortLink } from './clicks.ts'
import { type DispatchPlan, updateDispatch } from './queries.ts'
import { queueItems, skipItems } from './queries-items.ts'
import {
  type Candidate,
  changesSince,
  countUnsent,
  findConnection,
  type KnownConnection,
  lanesBehind,
  lockActive,
  lockLane,
  moveLane,
  nextCandidates,
  ticketsOpenFor,
  withoutSource,
} from './queries-turn.ts'

/** Send types (`send_type`) of dispatch messages by purpose; consents may block marketing. */
export const SEND_TYPES = { marketing: 'campaign', utility: 'campaign-utility' } as const

/** Maximum number of messages written at once without an interval. */
const BLOCK = 50
/** Maximum number of waiting recipients looked at per turn. */
const LOOKED_AT = 100
/** Maximum number of unsent messages of a connection; further ones are written once those are sent. */
const MOST_UNSENT = { hurried: 50, paced: 3 } as const
/** Delays before the next turn of a disconnected connection, and of one with unsent messages, in ms. */
const AWAY_MS = 15_000
const UNSENT_MS = 1000
/** Priority of turns, behind live messages. */
const PRIORITY = 10
export const WEEK_MS = 7 * 24 * 3_600_000

/** Job of one turn of a connection: the next messages of its dispatches. */
export const turnJob = job({
  name: 'campaigns:turn',
  schema: z.object({ connectionId: z.number() }),
  run: (platform, { tenantId, connectionId }) => takeTurn(platform, tenantId, connectionId),
})

/** Enqueues the next turn of a connection at a time, or now. */
export function enqueueTurn(ctx: Pick<Ctx, 'enqueue' | 'tenantId'>, connectionId: number, at?: number): void {
  const key = `campaign:${ctx.tenantId}:${connectionId}`
  const when = at === undefined ? {} : { runAt: new Date(at) }
  ctx.enqueue(turnJob, { connectionId }, { key, queue: key, priority: PRIORITY, ...when })
}

/** Enqueues the turns that are overdue by some time, whatever the state of their jobs. */
export async function recoverTurns(platform: Platform, overdueMs: number): Promise<void> {
  const until = new Date(platform.now().getTime() - overdueMs)
  for (const { tenantId, connectionId } of await platform.db.asPlatform((db) => lanesBehind(db, until)))
    await unit(platform, { tenantId, user: null }, async (ctx) => enqueueTurn(ctx, connectionId))
}

/**
 * Writes the next dispatch messages of a connection with their sending jobs, and marks their recipients, in one transaction,
 * so that a dying process leaves all or nothing. A concurrent turn waits for the first one.
 */
export async function takeTurn(platform: Platform, tenantId: number, connectionId: number): Promise<void> {
  await unit(platform, { tenantId, user: null }, async (ctx) => {
    const next = await turn(ctx, connectionId)
    if (next !== null) enqueueTurn(ctx, connectionId, next)
    await platform.checkpoint('dispatch written')
  })
  await platform.checkpoint('dispatch committed')
}

/** Takes a connection's turn; returns the time of the next one (epoch ms), null if no recipient waits. */
async function turn(ctx: Ctx, connectionId: number): Promise<number | null> {
  const now = ctx.now.getTime()
  const lane = await lockLane(ctx.db, connectionId)
  const active = await lockActive(ctx.db, connectionId)
  if (active.length === 0) return null
  const connection = await findConnection(ctx.db, connectionId)
  const deferred: number[] = []
  for (const dispatch of active) {
    const obstacle =
      !connection || connection.isDeleted ? errorText('ERR_NO_WAPP_FOUND') : await refusalOf(ctx, dispatch, connection)
    if (obstacle !== null || !connection) {
      await pause(ctx, dispatch, obstacle ?? '')
      continue
    }
    const due = lane.sentAt ? lane.sentAt.getTime() + nextDelay(dispatch.delay, lane.jitter, dispatch.delaySpread) : now
    if (due > now) {
      deferred.push(due)
      continue
    }
    const begins = Math.max(dispatch.startAt.getTime(), dispatch.waitsUntil?.getTime() ?? 0, now)
    const opens = openingOf(ctx, dispatch, begins)
    if (opens === null) await pause(ctx, dispatch, 'O horário de envio não chega mais.')
    else if (opens > now) {
      deferred.push(opens)
      await postpone(ctx, dispatch, opens)
    } else {
      const next = await sendNext(ctx, dispatch, connection)
      if (next !== null) return Math.min(next, ...deferred)
    }
  }
  return deferred.length > 0 ? Math.min(...deferred) : null
}

/** Returns the first time from another on at which a dispatch may send. */
function openingOf({ settings }: Pick<Ctx, 'settings'>, dispatch: DispatchPlan, from: number): number | null {
  const { holidays } = companyHours(settings)
  return sendingTime(dispatch, { zone: settings.timezone, holidays }).after(from, 0)
}

/**
 * Records the time until which a dispatch waits: for its hours, or for a day on which its number may begin more
 * conversations.
 */
async function postpone(ctx: Ctx, { id, waitsUntil }: DispatchPlan, until: number): Promise<void> {
  if (waitsUntil?.getTime() !== until) await updateDispatch(ctx.db, id, { waits_until: new Date(until) }, ctx.now)
}

/** Returns the reason why a dispatch cannot continue: its template is gone; null if it can. */
async function refusalOf(ctx: Ctx, { template }: DispatchPlan, { id, type }: KnownConnection): Promise<string | null> {
  if (!template) return null
  try {
    await usableTemplate(ctx, { channel: type, connection_id: id }, template)
    return null
  } catch (error) {
    if (error instanceof AppError) return errorText(error.code)
    throw error
  }
}

/** Pauses a dispatch, with the reason as a sentence. */
async function pause(ctx: Ctx, { id }: DispatchPlan, reason: string): Promise<void> {
  await updateDispatch(ctx.db, id, { status: 'paused', pause_reason: reason }, ctx.now)
  ctx.emit(campaignEvents.changed, { id, action: 'update' }, { kind: 'permission', permission: 'campaigns:write' })
}

/**
 * Sends the next message of a dispatch; returns the time of the connection's next turn, null if it belongs to the next
 * dispatch.
 */
async function sendNext(ctx: Ctx, dispatch: DispatchPlan, connection: KnownConnection): Promise<number | null> {
  const now = ctx.now.getTime()
  if (connection.status !== 'CONNECTED') return now + AWAY_MS
  const unsent = await countUnsent(ctx.db, connection.id)
  const isHurried = dispatch.delay === 0
  if (unsent.all >= (isHurried ? MOST_UNSENT.hurried : MOST_UNSENT.paced)) return now + UNSENT_MS
  const known = await lockPaceOf(ctx, connection)
  const facts = await numberFacts(ctx.db, connection, known, ctx.now)
  const care = outreachOf(facts)
  const fall = dispatch.turnedAt && fallOf(await changesSince(ctx.db, connection.id, dispatch.turnedAt))
  if (care.level === 'stop' || fall) {
    await pause(ctx, dispatch, care.level === 'stop' ? care.reasons.join(' ') : (fall ?? ''))
    return null
  }
  const { chosen, skipped, waitsUntil } = await chooseNext(ctx, dispatch, connection, {
    most: isHurried ? BLOCK : 1,
    firstUnsent: unsent.first,
    firstAt: (begun) => firstContactAt(known, facts, begun, now),
  })
  const refused = await write(ctx, dispatch, connection, chosen)
  await skipItems(ctx.db, [...skipped, ...refused], ctx.now)
  const isHeld = chosen.length === 0 && waitsUntil !== null
  const begins = dispatch.status === 'scheduled' ? { status: 'processing', started_at: ctx.now } : {}
  await updateDispatch(
    ctx.db,
    dispatch.id,
    { ...begins, turned_at: ctx.now, waits_until: isHeld ? new Date(waitsUntil!) : null },
    ctx.now,
  )
  if (dispatch.status === 'scheduled')
    ctx.emit(
      campaignEvents.changed,
      { id: dispatch.id, action: 'update' },
      { kind: 'permission', permission: 'campaigns:write' },
    )
  if (isHeld) return null
  // The connection determines its next turn at once.
  if (chosen.length > refused.length) await moveLane(ctx.db, connection.id, { sentAt: ctx.now, jitter: Math.random() })
  return now
}

type Choosing = {
  readonly most: number
  /** First messages on the connection that have not been sent yet. */
  readonly firstUnsent: number
  /** Returns the time at which one more contact may get a first message, after `begun` unsent ones. */
  firstAt(begun: number): number
}

/**
 * Chooses the next recipients of a dispatch: returns them, skipped ones with reasons, and the time until which the first
 * contact that may not begin waits.
 */
async function chooseNext(
  ctx: Ctx,
  dispatch: DispatchPlan,
  connection: KnownConnection,
  { most, firstUnsent, firstAt }: Choosing,
) {
  const now = ctx.now.getTime()
  const since = new Date(now - WEEK_MS)
  const where = { dispatchId: dispatch.id, connectionId: connection.id }
  const candidates = await nextCandidates(ctx.db, where, { since, most: LOOKED_AT })
  const { revoked, unasked } = await refusalsAmong(
    ctx,
    dispatch.purpose,
    candidates.map(({ contactId }) => contactId),
  )
  const rules = {
    ...dispatch,
    needsReach: capabilitiesOf(connection.type).numberCheck,
    takesGroups: dispatch.kind !== 'campaign',
  }
  const chosen: Candidate[] = []
  const skipped: { id: number; reason: string }[] = []
  let begun = firstUnsent
  let waitsUntil: number | null = null
  for (const one of candidates) {
    if (chosen.length === most) break
    const reason = obstacleTo(
      { ...one, isRevoked: revoked.has(one.contactId), isUnasked: unasked.has(one.contactId) },
      rules,
    )
    const beginsAt = one.isFirst ? firstAt(begun) : now
    if (reason) skipped.push({ id: one.id, reason })
    else if (beginsAt > now) waitsUntil ??= beginsAt
    else {
      chosen.push(one)
      if (one.isFirst) begun++
    }
  }
  return { chosen, skipped, waitsUntil }
}

/** Returns the contacts that a purpose may not reach: those who revoked it, and for marketing those never asked. */
export async function refusalsAmong(
  { db, now }: Pick<Ctx, 'db' | 'now'>,
  purpose: DispatchPlan['purpose'],
  contactIds: readonly number[],
): Promise<{ readonly revoked: ReadonlySet<number>; readonly unasked: ReadonlySet<number> }> {
  const revoked = await revokedAmong(db, purpose, contactIds)
  if (purpose !== 'marketing') return { revoked, unasked: new Set() }
  const undeclared = await withoutSource(db, contactIds)
  const asked = await mayBeAsked(db, undeclared, now)
  return { revoked, unasked: new Set(undeclared.filter((id) => !asked.has(id))) }
}

/** Returns the text of a campaign with the recipient's own short links in place of its links. */
export const linked = ({ platform, tenantId }: Ctx, kind: string, itemId: number, body: string): string =>
  kind === 'campaign' && platform.env.PUBLIC_URL
    ? withLinks(body, (at) => shortLink(platform, { tenantId, itemId, at }) ?? '')
    : body

/** Writes a dispatch's message to each recipient; returns those to whom it cannot be written, with the reason. */
async function write(
  ctx: Ctx,
  { kind, messages, template, fileId, fileMime, purpose, closesTickets }: DispatchPlan,
  connection: KnownConnection,
  chosen: readonly Candidate[],
): Promise<{ id: number; reason: string }[]> {
  if (chosen.length === 0) return []
  const weights = messages.map(({ weight }) => weight)
  const file = fileId && fileMime ? { id: fileId, mime: fileMime } : null
  const written = chosen.map((one) => ({ ...one, variant: variantOf(one.messageId, weights) }))
  const refusals = await writeToEach(
    ctx,
    {
      connectionId: connection.id,
      sendType: SEND_TYPES[purpose],
      source: 'campaign',
      ...(template ? { template } : {}),
    },
    written.map(({ id: itemId, messageId: id, contactId, variant, values }) => ({
      ...{ id, contactId, file, body: linked(ctx, kind, itemId, messages[variant]?.body ?? '') },
      ...(values ? { values } : {}),
    })),
  )
  await queueItems(
    ctx.db,
    written.filter(({ contactId }) => !refusals.has(contactId)),
    ctx.now,
  )
  if (closesTickets)
    await closeTickets(
      ctx,
      written.map(({ messageId }) => messageId),
    )
  return written.flatMap(({ id, contactId }) => {
    const reason = refusals.get(contactId)
    return reason ? [{ id, reason }] : []
  })
}

/** Closes the conversations in which messages were just written, without a farewell. */
async function closeTickets(ctx: Ctx, messageIds: readonly string[]): Promise<void> {
  const closed = { status: 'closed', ...NO_FLOW, closedAt: ctx.now.getTime() } as const
  await moveUnattended(ctx, await ticketsOpenFor(ctx.db, messageIds), (state) =>
    change(state, closed, { by: null, at: ctx.now.getTime() }, ['force']),
  )
}
