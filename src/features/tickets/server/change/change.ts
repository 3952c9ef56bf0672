import { ASSISTANTS } from '#domain/tickets/assistants.ts'
import { snooze } from '#domain/tickets/commands.ts'
import { isSnoozeTime } from '#domain/tickets/snooze-time.ts'
import {
  autoClose,
  type Command,
  force,
  nullify,
  type Outcome,
  type TicketChange,
  type TicketState,
  type WakingCommand,
} from '#domain/tickets/transitions.ts'
import {
  findActive,
  findActiveQueue,
  findAssignee,
  findUsername,
  replaceTags,
  switchAssistants,
  updateTicket,
} from '#features/ledger/server/changes/index.ts'
import { replaceGroupUsers } from '#features/ledger/server/commands/index.ts'
import { runHooks } from '#features/ledger/server/hooks/index.ts'
import { factsOf, findTicketsForUpdate, loadTicketRows, type TicketRecord } from '#features/ledger/server/rows/index.ts'
import { countChange } from '#features/ledger/server/sets/index.ts'
import {
  announce,
  announceAll,
  isVisible,
  type KnownTicket,
  lockTicket,
  lockVisible,
} from '#features/visibility/server/index.ts'
import type { Input } from '#kit/contract.ts'
import { fail, required } from '#kit/errors.ts'
import { isOn } from '#kit/settings.ts'
import type { Actor } from '#server/actors.ts'
import type { Ctx } from '#server/context.ts'
import type { tickets } from '../../contract.ts'
import { failWithActive } from './conflict.ts'
import { type Detail, loadDetail } from './detail.ts'
import { isMove, move } from './move.ts'
import { isOffered } from './queries-closing.ts'
import { moveToStage } from './stage.ts'
import { writeMoves } from './write-moves.ts'

type UserCtx = Ctx & { user: Actor }
type Change = Input<typeof tickets.update>['body']
type Forced = Input<typeof tickets.force>['body']

/** Moves a ticket and sets the other fields of the request; publishes the changes to everyone who may see it. */
export async function changeTicket(ctx: UserCtx, ticketId: number, body: Change): Promise<Detail> {
  // First: stage and contact are locked before any ticket.
  if (body.kanban !== undefined) await moveToStage(ctx, ticketId, body.kanban)
  const before = await lockFor(ctx, ticketId, body)
  if (body.reasons !== before.row.reason_id) await requireReason(ctx, body.reasons, 'reasons')
  const isMoved = await saveAssignment(ctx, before, body)
  const isSet = await saveRest(ctx, before, body)
  if (body.unreadMessages === 0 && before.row.unread_messages > 0) await announceRead(ctx, before.row)
  if (isMoved && body.status === 'closed') await runHooks(ctx, 'onClosed', [{ ticketId, how: 'person' }])
  return answer(ctx, before, isMoved || isSet)
}

// Of two users who accept a pending ticket, the second gets its owner, even though it may now be invisible to them.
async function lockFor(ctx: UserCtx, ticketId: number, { status, userId }: Change): Promise<KnownTicket> {
  if (status !== 'open' || userId !== ctx.user.id) return lockVisible(ctx, ticketId)
  const { row, facts } = await lockTicket(ctx, ticketId)
  if (row.status !== 'open' || row.user_id === null || isVisible(ctx, facts)) return lockVisible(ctx, ticketId)
  const waited = isVisible(ctx, { ...facts, status: 'pending', userId: null })
  return waited ? failAsTaken(ctx, row.user_id) : fail('ERR_NO_TICKET_FOUND')
}

const failAsTaken = async ({ db }: Ctx, userId: number): Promise<never> =>
  fail('ERR_TICKET_TAKEN', { user: (await findUsername(db, userId)) ?? '' })

/** Runs the `onRead` hooks of a ticket without unread messages. */
export function announceRead(ctx: Ctx, row: TicketRecord): Promise<void> {
  const { id: ticketId, connection_id: connectionId, conversation_key: conversationKey } = row
  return runHooks(ctx, 'onRead', [{ ticketId, connectionId, conversationKey }])
}

// One request may both move and snooze a ticket: one change, decided in steps.
async function saveAssignment(ctx: UserCtx, before: KnownTicket, body: Change): Promise<boolean> {
  await requireAssignment(ctx, body)
  const state = stateOf(before.row)
  const command = await commandFor(ctx, before)
  const moved = isMove(body) ? move(state, body, command) : UNCHANGED
  if (typeof moved === 'string' || body.snoozedUntil === undefined) return saveMove(ctx, before, moved)
  const until = requireSnoozeTime(ctx, body.snoozedUntil, 'snoozedUntil')
  const snoozed = snooze({ ...state, ...moved.set }, { ...command, until })
  if (typeof snoozed === 'string') return saveMove(ctx, before, snoozed)
  return saveMove(ctx, before, { set: { ...moved.set, ...snoozed.set }, logs: [...moved.logs, ...snoozed.logs] })
}

const UNCHANGED: TicketChange = { set: {}, logs: [] }

/** Returns a valid snooze time in epoch ms, null for none; throws 400 at the field otherwise. */
export function requireSnoozeTime({ now }: Pick<Ctx, 'now'>, until: string | null, field: string): number | null {
  if (until === null) return null
  const at = Date.parse(until)
  return isSnoozeTime(at, now.getTime())
    ? at
    : fail('ERR_VALIDATION', { [field]: 'Escolha um momento até um ano à frente.' })
}

async function saveRest(ctx: UserCtx, { row }: KnownTicket, body: Change): Promise<boolean> {
  const { id: ticketId, is_group: isGroup } = row
  const { unreadMessages, value, tagIds, reasons, isFarewellMessage, groupUserIdArray } = body
  if (groupUserIdArray !== undefined && !isGroup)
    fail('ERR_VALIDATION', { groupUserIdArray: 'Só grupos têm usuários do grupo.' })
  const plain = {
    ...(unreadMessages === undefined ? {} : { unread_messages: unreadMessages }),
    ...(value === undefined ? {} : { value }),
    ...(reasons === undefined ? {} : { reason_id: reasons }),
    ...(isFarewellMessage === undefined ? {} : { is_farewell_message: isFarewellMessage }),
  }
  const hasPlain = Object.keys(plain).length > 0
  if (hasPlain) await updateTicket(ctx.db, ticketId, plain)
  const asked = ASSISTANTS.filter((name) => body[`${name}Status`] !== undefined)
  const switches = Object.fromEntries(asked.map((name) => [name, body[`${name}Status`] === 'enabled']))
  if (asked.length > 0) await switchAssistants(ctx.db, ticketId, switches)
  if (tagIds && !(await replaceTags(ctx.db, ticketId, tagIds))) fail('ERR_NO_TAG_FOUND')
  if (groupUserIdArray !== undefined && !(await replaceGroupUsers(ctx.db, ticketId, groupUserIdArray ?? [])))
    fail('ERR_NO_USER_FOUND')
  const isSet = hasPlain || asked.length > 0 || tagIds !== undefined || groupUserIdArray !== undefined
  if (isSet) await countChange(ctx.db, [ticketId], { by: ctx.user.id, now: ctx.now })
  return isSet
}

/** Checks that the company offers the reason; throws 400 at the field otherwise. */
export async function requireReason(
  { db }: Pick<Ctx, 'db'>,
  reason: number | null | undefined,
  field: string,
): Promise<void> {
  if (reason != null && !(await isOffered(db, reason)))
    fail('ERR_VALIDATION', { [field]: 'Este motivo não existe, ou não é mais oferecido.' })
}

/** Sets status and owner directly, without farewell, rating or reason; without `userId` the owner stays. */
export async function forceTicket(ctx: UserCtx, ticketId: number, body: Forced): Promise<Detail> {
  return forced(ctx, ticketId, body, force)
}

/** Sets status like `forceTicket`, and removes queue and owner. */
export async function nullifyTicket(ctx: UserCtx, ticketId: number, body: Forced): Promise<Detail> {
  return forced(ctx, ticketId, body, nullify)
}

async function forced(ctx: UserCtx, ticketId: number, body: Forced, how: typeof force): Promise<Detail> {
  const before = await lockVisible(ctx, ticketId)
  await requireAssignment(ctx, body)
  const command = await commandFor(ctx, before)
  const { status, userId = before.row.user_id } = body
  const isMoved = await saveMove(ctx, before, how(stateOf(before.row), { ...command, status, userId }))
  if (isMoved && status === 'closed') await runHooks(ctx, 'onClosed', [{ ticketId, how: 'force' }])
  return answer(ctx, before, isMoved)
}

/** Checks that a ticket's new user and queue exist and are active; throws 404 otherwise. */
export async function requireAssignment(
  ctx: Pick<Ctx, 'db'>,
  { userId, queueId }: { userId?: number | null | undefined; queueId?: number | null | undefined },
): Promise<void> {
  if (userId != null) required(await findAssignee(ctx.db, userId), 'ERR_NO_USER_FOUND')
  if (queueId != null) required(await findActiveQueue(ctx.db, queueId), 'ERR_NO_QUEUE_FOUND')
}

async function commandFor(ctx: UserCtx, { row }: KnownTicket): Promise<WakingCommand> {
  const hasOtherOpen =
    row.status === 'closed' && (await findActive(ctx.db, row.connection_id, row.conversation_key)) !== undefined
  return { ...commandOf(ctx), hasOtherOpen }
}

/** Builds the command of a move: user, time and relevant settings. */
export const commandOf = <By extends Actor | null>({
  user,
  now,
  settings,
}: Pick<Ctx, 'now' | 'settings'> & { readonly user: By }): Command<By> => ({
  by: user,
  at: now.getTime(),
  settings: {
    notViewAssignedTickets: isOn(settings, 'NotViewAssignedTickets'),
    supervisorsLimited: isOn(settings, 'supervisorAdmin'),
    forcePendingUser: isOn(settings, 'forcePendingUser'),
    pendingAdminId: isOn(settings, 'forceAdmin') ? settings.ownerId : null,
    forceReason: isOn(settings, 'forceReason'),
    controlFeatures: isOn(settings, 'controlFeatures'),
    allowPause: isOn(settings, 'allowPause'),
  },
})

/**
 * Stores a move, or throws its refusal; returns false if nothing changes. `target`: conversation in which another active
 * ticket would be in the way.
 */
export async function saveMove(
  ctx: UserCtx,
  { row }: KnownTicket,
  outcome: Outcome,
  target?: { readonly connectionId: number; readonly conversationKey: string },
): Promise<boolean> {
  const { connectionId = row.connection_id, conversationKey = row.conversation_key } = target ?? {}
  if (outcome === 'ERR_OTHER_OPEN_TICKET') {
    return failWithActive(ctx, await findActive(ctx.db, connectionId, conversationKey))
  }
  if (outcome === 'ERR_TICKET_TAKEN') return failAsTaken(ctx, row.user_id!)
  if (typeof outcome === 'string') return fail(outcome)
  const isMoved = await writeMove(ctx, row.id, outcome)
  const { userId, status = row.status } = outcome.set
  if (userId && status === 'open')
    await runHooks(ctx, 'onAssigned', [{ ticketId: row.id, userId, byUserId: ctx.user.id }])
  return isMoved
}

async function writeMove(ctx: Ctx, id: number, change: TicketChange): Promise<boolean> {
  if (Object.keys(change.set).length === 0) return false
  await writeMoves(ctx, [{ id, ...change }])
  if (change.set.closedAt === null) await runHooks(ctx, 'onOpened', [{ ticketId: id, isReopened: true }])
  return true
}

const LOG_OF = { timer: 'autoClose', customer: 'autoClose', removal: 'connectionRemoved' } as const

/**
 * Closes tickets automatically: by time, the customer's keyword, or a removed connection. Skips closed ones and returns the
 * others.
 */
export async function closeUnattended(
  ctx: Ctx,
  ticketIds: readonly number[],
  how: keyof typeof LOG_OF,
): Promise<readonly number[]> {
  const closed: number[] = []
  for (const ticketId of ticketIds) {
    const before = await lockTicket(ctx, ticketId)
    const outcome = autoClose(stateOf(before.row), ctx.now.getTime(), LOG_OF[how])
    if (typeof outcome === 'string') continue
    await writeMove(ctx, ticketId, outcome)
    const loaded = (await loadTicketRows(ctx.db, [ticketId], ctx)).get(ticketId)
    if (loaded) announce(ctx, before.facts, loaded)
    closed.push(ticketId)
  }
  await runHooks(
    ctx,
    'onClosed',
    closed.map((ticketId) => ({ ticketId, how })),
  )
  return closed
}

/**
 * Changes tickets by a rule, in batches, and publishes them. Rows passed as `locked` are not loaded again, so their writes
 * are pipelined.
 */
export async function moveUnattended(
  ctx: Ctx,
  ticketIds: readonly number[],
  decide: (ticket: TicketState, ticketId: number) => TicketChange,
  locked?: ReadonlyMap<number, TicketRecord>,
): Promise<void> {
  if (ticketIds.length === 0) return
  const rows = locked ? ticketIds.flatMap((id) => locked.get(id) ?? []) : await findTicketsForUpdate(ctx.db, ticketIds)
  const moves = rows
    .map((row) => ({ row, facts: factsOf(row), id: row.id, ...decide(stateOf(row), row.id) }))
    .filter(({ set }) => Object.keys(set).length > 0)
  const writing = writeMoves(ctx, moves)
  const reopened = moves.filter(({ set }) => set.closedAt === null)
  if (reopened.length > 0) {
    await writing
    await runHooks(
      ctx,
      'onOpened',
      reopened.map(({ id: ticketId }) => ({ ticketId, isReopened: true })),
    )
  }
  // Pipelined: the reads see the writes before them.
  await Promise.all([writing, announceAll(ctx, moves)])
  const given = moves.flatMap(({ id: ticketId, set: { status, userId } }) =>
    status === 'open' && userId ? [{ ticketId, userId, byUserId: null }] : [],
  )
  await runHooks(ctx, 'onAssigned', given)
  const closed = moves.filter(({ set }) => set.status === 'closed')
  await runHooks(
    ctx,
    'onClosed',
    closed.map(({ id: ticketId }) => ({ ticketId, how: 'force' as const })),
  )
}

/** Publishes a changed ticket and returns its current detail. */
export async function answer(ctx: UserCtx, before: KnownTicket, isChanged: boolean): Promise<Detail> {
  const { detail, loaded } = await loadDetail(ctx, before.row.id)
  if (isChanged) announce(ctx, before.facts, loaded)
  return detail
}

/** Converts a stored ticket to the state that moves and commands use. */
export const stateOf = (row: TicketRecord): TicketState & { readonly isGroup: boolean } => ({
  isGroup: row.is_group,
  status: row.status,
  userId: row.user_id,
  queueId: row.queue_id,
  chatFlowId: row.chat_flow_id,
  reasonId: row.reason_id,
  startedAttendanceAt: row.started_attendance_at?.getTime() ?? null,
  closedAt: row.closed_at?.getTime() ?? null,
  chatFlowNode: row.chat_flow_node,
  botRetries: row.bot_retries,
  pausedAt: row.paused_at?.getTime() ?? null,
  totalPausedMs: row.total_paused_ms,
  snoozedUntil: row.snoozed_until?.getTime() ?? null,
  connectionId: row.connection_id,
  conversationKey: row.conversation_key,
  channel: row.channel,
  assistantsUntilAttended: row.assistants_until_attended,
})
