import type { TicketStatus } from '#domain/tickets/facts.ts'
import {
  autoClose,
  force,
  nullify,
  type Outcome,
  type TicketChange,
  type TicketState,
  type WakingCommand,
} from '#domain/tickets/transitions.ts'
import type { Input } from '#kit/contract.ts'
import { fail, required } from '#kit/errors.ts'
import { isOn } from '#kit/settings.ts'
import type { Actor } from '#server/actors.ts'
import type { Ctx } from '#server/context.ts'
import { ASSISTANTS, type tickets } from '../../tickets-contract.ts'
import { announce, type KnownTicket, lockTicket, lockVisible } from './access.ts'
import { failWithActive } from './conflict.ts'
import { type Detail, loadDetail } from './detail.ts'
import { isMove, move } from './move.ts'
import { notifyReceiver } from './notifications.ts'
import type { TicketRecord } from './queries.ts'
import {
  dropQuestion,
  findActive,
  findActiveQueue,
  findAssignee,
  insertLogs,
  replaceTags,
  switchAssistants,
  updateTicket,
} from './queries-change.ts'
import { loadTicketRows } from './rows.ts'

type UserCtx = Ctx & { user: Actor }
type Change = Input<typeof tickets.update>['body']
type Forced = Input<typeof tickets.force>['body']

/** Moves a ticket and sets what else the request names; everyone who may see it hears of what changed. */
export async function changeTicket(ctx: UserCtx, ticketId: number, body: Change): Promise<Detail> {
  const before = await lockVisible(ctx, ticketId)
  const isMoved = isMove(body) && (await savePlace(ctx, before, body))
  const isSet = await saveRest(ctx, ticketId, body)
  if (body.unreadMessages === 0 && before.row.unread_messages > 0) showRead(ctx, before.row)
  if (isMoved && body.status === 'closed' && isOn(ctx.settings, 'ratingStoreUse')) askRating(ctx, ticketId)
  return tell(ctx, before, isMoved || isSet)
}

/** The contact's channel is told that it was read by a job of the ledger: it is an outside call. */
export function showRead(ctx: Ctx, row: TicketRecord): void {
  const { connection_id: connectionId, conversation_key: conversationKey, channel } = row
  ctx.enqueue('messages:read', { connectionId, conversationKey, channel }, { key: `read:${ctx.tenantId}:${row.id}` })
}

// The ledger asks, in its own name and only once; whether anybody is to be asked is decided there as well.
function askRating(ctx: UserCtx, ticketId: number): void {
  ctx.enqueue('messages:ask', { ticketId }, { key: `ask:${ctx.tenantId}:${ticketId}` })
}

async function savePlace(ctx: UserCtx, before: KnownTicket, body: Change): Promise<boolean> {
  await requirePlace(ctx, body)
  return saveMove(ctx, before, move(stateOf(before.row), body, await commandFor(ctx, before)))
}

async function saveRest(ctx: UserCtx, ticketId: number, body: Change): Promise<boolean> {
  const { unreadMessages, kanban, value, tagIds } = body
  // No company has stages yet, so that a ticket can leave its stage and not enter one.
  if (kanban != null) fail('ERR_VALIDATION', { kanban: 'Esta etapa do kanban não existe.' })
  const plain = {
    ...(unreadMessages === undefined ? {} : { unread_messages: unreadMessages }),
    ...(kanban === undefined ? {} : { kanban }),
    ...(value === undefined ? {} : { value }),
  }
  const hasPlain = Object.keys(plain).length > 0
  if (hasPlain) await updateTicket(ctx.db, ticketId, plain)
  const asked = ASSISTANTS.filter((name) => body[`${name}Status`] !== undefined)
  const switches = Object.fromEntries(asked.map((name) => [name, body[`${name}Status`] === 'enabled']))
  if (asked.length > 0) await switchAssistants(ctx.db, ticketId, switches)
  if (tagIds && !(await replaceTags(ctx.db, ticketId, tagIds))) fail('ERR_NO_TAG_FOUND')
  return hasPlain || asked.length > 0 || tagIds !== undefined
}

/** Sets status and owner outright, without farewell, rating or reason; without `userId` the owner stays. */
export async function forceTicket(ctx: UserCtx, ticketId: number, body: Forced): Promise<Detail> {
  return forced(ctx, ticketId, body, force)
}

/** The same for a ticket that has neither queue nor owner. */
export async function nullifyTicket(ctx: UserCtx, ticketId: number, body: Forced): Promise<Detail> {
  return forced(ctx, ticketId, body, nullify)
}

async function forced(ctx: UserCtx, ticketId: number, body: Forced, how: typeof force): Promise<Detail> {
  const before = await lockVisible(ctx, ticketId)
  await requirePlace(ctx, body)
  const command = await commandFor(ctx, before)
  const { status, userId = before.row.user_id } = body
  return tell(ctx, before, await saveMove(ctx, before, how(stateOf(before.row), { ...command, status, userId })))
}

/** The user and the queue that a ticket is to go to exist and take work: 404 otherwise. */
export async function requirePlace(
  ctx: Pick<Ctx, 'db'>,
  { userId, queueId }: { userId?: number | null | undefined; queueId?: number | null | undefined },
): Promise<void> {
  if (userId != null) required(await findAssignee(ctx.db, userId), 'ERR_NO_USER_FOUND')
  if (queueId != null) required(await findActiveQueue(ctx.db, queueId), 'ERR_NO_QUEUE_FOUND')
}

async function commandFor(ctx: UserCtx, { row }: KnownTicket): Promise<WakingCommand> {
  const hasOtherOpen =
    row.status === 'closed' && (await findActive(ctx.db, row.connection_id, row.conversation_key)) !== undefined
  return {
    by: ctx.user,
    at: ctx.now.getTime(),
    hasOtherOpen,
    settings: {
      notViewAssignedTickets: isOn(ctx.settings, 'NotViewAssignedTickets'),
      supervisorsLimited: isOn(ctx.settings, 'supervisorAdmin'),
      forcePendingUser: isOn(ctx.settings, 'forcePendingUser'),
      pendingAdminId: isOn(ctx.settings, 'forceAdmin') ? ctx.settings.ownerId : null,
      forceReason: false,
      controlFeatures: isOn(ctx.settings, 'controlFeatures'),
    },
  }
}

const COLUMNS: Readonly<Record<keyof TicketState, string>> = {
  status: 'status',
  userId: 'user_id',
  queueId: 'queue_id',
  chatFlowId: 'chat_flow_id',
  reasonId: 'reason_id',
  startedAttendanceAt: 'started_attendance_at',
  closedAt: 'closed_at',
}
const TIMES: readonly string[] = ['startedAttendanceAt', 'closedAt'] satisfies (keyof TicketState)[]

/** Writes a move down, or says why it is refused; false when it changes nothing. */
async function saveMove(ctx: UserCtx, { row }: KnownTicket, outcome: Outcome): Promise<boolean> {
  if (outcome === 'ERR_OTHER_OPEN_TICKET') {
    return failWithActive(ctx, await findActive(ctx.db, row.connection_id, row.conversation_key))
  }
  if (typeof outcome === 'string') return fail(outcome)
  const { userId, status = row.status } = outcome.set
  if (userId && status === 'open') await notifyReceiver(ctx, row.id, userId)
  return writeMove(ctx, row.id, outcome)
}

async function writeMove(ctx: Ctx, id: number, { set, logs }: TicketChange): Promise<boolean> {
  const changed = Object.entries(set)
  if (changed.length === 0) return false
  await updateTicket(ctx.db, id, {
    ...Object.fromEntries(
      changed.map(([key, value]) => [
        COLUMNS[key as keyof TicketState],
        TIMES.includes(key) && value !== null ? new Date(value) : value,
      ]),
    ),
    // Decision B4: the list's order follows status, owner and queue (and messages), nothing else.
    ...('status' in set || 'userId' in set || 'queueId' in set ? { updated_at: ctx.now } : {}),
    ...(set.status === 'closed' ? { waiting_since: null } : {}),
  })
  if (set.closedAt === null) await dropQuestion(ctx.db, id)
  await insertLogs(ctx.db, id, logs, ctx.now)
  return true
}

/** Closes a ticket because time has passed: nobody acts. False when it was closed already. */
export async function closeByTimer(ctx: Ctx, ticketId: number): Promise<boolean> {
  const before = await lockTicket(ctx, ticketId)
  const outcome = autoClose(stateOf(before.row), ctx.now.getTime())
  if (typeof outcome === 'string') return false
  await writeMove(ctx, ticketId, outcome)
  const loaded = (await loadTicketRows(ctx.db, [ticketId], ctx)).get(ticketId)
  if (loaded) announce(ctx, before.facts, loaded)
  return true
}

async function tell(ctx: UserCtx, before: KnownTicket, isChanged: boolean): Promise<Detail> {
  const { detail, loaded } = await loadDetail(ctx, before.row.id)
  if (isChanged) announce(ctx, before.facts, loaded)
  return detail
}

const stateOf = (row: TicketRecord): TicketState => ({
  status: row.status as TicketStatus,
  userId: row.user_id,
  queueId: row.queue_id,
  chatFlowId: row.chat_flow_id,
  reasonId: row.reason_id,
  startedAttendanceAt: row.started_attendance_at?.getTime() ?? null,
  closedAt: row.closed_at?.getTime() ?? null,
})
