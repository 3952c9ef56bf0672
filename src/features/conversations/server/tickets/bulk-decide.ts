import { type Action, type Performed, tagsOf, type Written } from '#domain/actions/actions.ts'
import { undoMs } from '#domain/bulk/limits.ts'
import { changeChannel, snooze, type Target } from '#domain/tickets/commands.ts'
import type { TicketLog } from '#domain/tickets/logs.ts'
import {
  accept,
  close,
  force,
  type Outcome,
  reopen,
  returnToQueue,
  transfer,
  type WakingCommand,
} from '#domain/tickets/transitions.ts'
import { type ErrorCode, fail } from '#kit/errors.ts'
import type { Act, UserCtx } from '#server/bulk/kind.ts'
import type { BulkAction, BulkArgs } from '../../bulk-contract.ts'
import type { KnownTicket } from './access.ts'
import { performOn, refusalOf } from './actions.ts'
import { commandOf, requireAssignment, requireReason, requireSnoozeTime, stateOf } from './change.ts'
import { conversationsOf, countTags, type TicketFields } from './queries-bulk.ts'
import { hasStage } from './queries-stage.ts'
import { requireConnection, targetsOn } from './targets.ts'
import { fieldsOf } from './write-moves.ts'

/** What becomes of one ticket. */
export type TicketPlan = {
  readonly fields: TicketFields
  readonly logs: readonly TicketLog[]
  readonly tags?: { readonly add: readonly number[]; readonly remove: readonly number[] }
  /** What the operation writes into it; what goes to the customer leaves at `sendAt` (epoch ms). */
  readonly written?: { readonly operationId: string; readonly sendAt: number; readonly all: readonly Written[] }
}

/** With what an action is done: as it was asked for, of a macro the list that it was then. */
export type TicketArgs = BulkArgs & { readonly actions?: readonly Action[] }

type Decision = TicketPlan | ErrorCode | null

/** Decides for each of these tickets what an action makes of it; what it needs (a person, a queue, tags) is there, or all are refused. */
export async function decideAll(
  ctx: UserCtx,
  act: Act,
  tickets: ReadonlyMap<number, KnownTicket>,
): Promise<ReadonlyMap<number, Decision>> {
  const { action } = act
  const given = act.args as TicketArgs
  if (action === 'macro') {
    const performed = await performOn(ctx, given.actions ?? [], tickets)
    return new Map([...performed].map(([id, one]) => [id, planActions(ctx, act, one)]))
  }
  await requireAssignment(ctx, given)
  const { tagIds } = given
  if (tagIds && (await countTags(ctx.db, tagIds)) !== new Set(tagIds).size) fail('ERR_NO_TAG_FOUND')
  requireReason(given.reasons, 'reasons')
  if (given.kanban != null && !(await hasStage(ctx.db, given.kanban)))
    fail('ERR_VALIDATION', { kanban: 'Esta etapa do kanban não existe.' })
  const until = given.until === undefined ? null : requireSnoozeTime(ctx, given.until, 'until')
  const targets = action === 'channel' ? await targetsFor(ctx, given, tickets) : new Map<number, Target>()
  const closed = [...tickets].flatMap(([id, { row }]) => (row.status === 'closed' ? [id] : []))
  const conversations = await conversationsOf(ctx.db, closed)
  const woken = new Set<string>()
  const begun = new Set<string>()
  const command = commandOf(ctx)
  const decide = (id: number, ticket: KnownTicket): Decision => {
    if (action === 'snooze') return planOf(snooze(stateOf(ticket.row), { ...command, until }), ctx.now)
    if (action === 'channel') {
      const target = targets.get(id) ?? null
      const isTaken = target !== null && (target.isTaken || begun.has(target.conversationKey))
      const plan = planOf(
        changeChannel(stateOf(ticket.row), { ...command, target: target && { ...target, isTaken } }),
        ctx.now,
      )
      // Of two conversations of one contact, one can go on over a connection.
      if (target && isPlan(plan)) begun.add(target.conversationKey)
      return plan
    }
    if (!isMove(action)) return decidePlain(action as PlainAction, given, ticket)
    const { conversation = '', isTaken = false } = conversations.get(id) ?? {}
    const outcome = moveOf(action, given, ticket, { ...command, hasOtherOpen: isTaken || woken.has(conversation) })
    // Of two tickets of one conversation, one can be taken up again.
    if (typeof outcome !== 'string' && outcome.set.closedAt === null) woken.add(conversation)
    return planOf(outcome, ctx.now)
  }
  return new Map([...tickets].map(([id, ticket]) => [id, decide(id, ticket)]))
}

const isPlan = (decision: Decision): decision is TicketPlan => decision !== null && typeof decision !== 'string'

function planOf(outcome: Outcome, now: Date): Decision {
  if (typeof outcome === 'string') return outcome
  return Object.keys(outcome.set).length === 0 ? null : { fields: fieldsOf(outcome, now), logs: outcome.logs }
}

// What is written to customers waits until it cannot be taken back.
function planActions({ now }: UserCtx, { id: operationId, total = 1, args }: Act, performed: Performed): Decision {
  const { set, logs, steps, stageId, written: all } = performed
  const refusal = refusalOf(performed)
  if (refusal) return refusal
  if (steps.every(({ isSame }) => isSame)) return null
  const sendAt = now.getTime() + undoMs(total)
  const written = operationId === undefined ? {} : { written: { operationId, sendAt, all } }
  const fields = { ...fieldsOf({ set }, now), ...(stageId === null ? {} : { kanban: stageId }) }
  return { fields, logs, tags: tagsOf((args as TicketArgs).actions ?? []), ...written }
}

async function targetsFor(
  ctx: UserCtx,
  { whatsappId }: BulkArgs,
  tickets: ReadonlyMap<number, KnownTicket>,
): Promise<Map<number, Target>> {
  const connection = await requireConnection(ctx, whatsappId!)
  const rows = [...tickets.values()].map(({ row }) => row)
  return targetsOn(ctx, connection, rows)
}

type PlainAction = Exclude<BulkAction, Move | 'snooze' | 'channel' | 'macro'>
type Move = 'accept' | 'transfer' | 'return' | 'close' | 'reopen'
const isMove = (action: string): action is Move => ['accept', 'transfer', 'return', 'close', 'reopen'].includes(action)

function moveOf(action: Move, args: BulkArgs, { row }: KnownTicket, command: WakingCommand): Outcome {
  const state = stateOf(row)
  if (action === 'accept') return accept(state, command)
  if (action === 'return') return returnToQueue(state, command)
  if (action === 'reopen') return reopen(state, { ...command, to: 'open' })
  if (action === 'close') {
    if (args.unrated !== true) return close(state, command)
    return state.status === 'closed'
      ? 'ERR_TICKET_TRANSITION'
      : force(state, { ...command, status: 'closed', userId: state.userId })
  }
  const { userId = null, queueId = state.queueId } = args
  return transfer(state, { ...command, userId, queueId })
}

function decidePlain(action: PlainAction, { tagIds = [], kanban = null }: BulkArgs, { row }: KnownTicket): Decision {
  if (action === 'kanban') {
    // A closed ticket keeps the stage in which it ended.
    if (row.status === 'closed') return 'ERR_TICKET_TRANSITION'
    return row.kanban === kanban ? null : { fields: { kanban }, logs: [] }
  }
  if (action === 'read') return row.unread_messages > 0 ? { fields: { unread_messages: 0 }, logs: [] } : null
  if (action === 'unread') return row.unread_messages === 0 ? { fields: { unread_messages: 1 }, logs: [] } : null
  const has = (id: number) => row.tag_ids.includes(id)
  const isAdding = action === 'tag'
  if (!tagIds.some((id) => has(id) !== isAdding)) return null
  return { fields: {}, logs: [], tags: isAdding ? { add: tagIds, remove: [] } : { add: [], remove: tagIds } }
}
