import { type Action, type Opening, type Performed, tagsOf, type Written } from '#domain/actions/actions.ts'
import { undoMs } from '#domain/bulk/limits.ts'
import { changeChannel, snooze, type Target } from '#domain/tickets/commands.ts'
import type { TicketLog } from '#domain/tickets/logs.ts'
import {
  accept,
  close,
  type Outcome,
  reopen,
  returnToQueue,
  transfer,
  type WakingCommand,
} from '#domain/tickets/transitions.ts'
import { hasStage } from '#features/ledger/server/changes/index.ts'
import { conversationsOf, countTags, type TicketFields } from '#features/ledger/server/sets/index.ts'
import type { BulkAction, BulkArgs } from '#features/tickets/bulk-contract.ts'
import { performOn, refusalOf, rendererFor } from '#features/tickets/server/actions/index.ts'
import {
  commandOf,
  fieldsOf,
  findFarewell,
  requireAssignment,
  requireReason,
  requireSnoozeTime,
  stateOf,
} from '#features/tickets/server/change/index.ts'
import { requireConnection, targetsOn } from '#features/tickets/server/sets/index.ts'
import type { KnownTicket } from '#features/visibility/server/index.ts'
import { type ErrorCode, fail, required } from '#kit/errors.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import type { Act, UserCtx } from '#server/bulk/kind.ts'

/** Planned changes of one ticket. */
export type TicketPlan = {
  readonly fields: TicketFields
  readonly logs: readonly TicketLog[]
  /** Opportunities that the action creates; an undo does not remove them. */
  readonly openings?: readonly Opening[]
  readonly tags?: { readonly add: readonly number[]; readonly remove: readonly number[] }
  /** Messages that the operation writes into the ticket; those to the customer are sent at `sendAt` (epoch ms). */
  readonly written?: {
    readonly operationId: string
    readonly sendAt: number
    readonly all: readonly (Written & { readonly sendType?: string })[]
  }
}

/** Arguments of an action; for a macro with its actions at the start of the operation. */
export type TicketArgs = BulkArgs & { readonly actions?: readonly Action[] }

/** An operation on tickets, as its contract read it. */
export type TicketAct = Act & { readonly action: BulkAction; readonly args: TicketArgs }

type Decision = TicketPlan | ErrorCode | null

/** Plans an action on each of these tickets; rejects all if a required record (user, queue, tags) does not exist. */
export async function decideAll(
  ctx: UserCtx,
  act: TicketAct,
  tickets: ReadonlyMap<number, KnownTicket>,
): Promise<ReadonlyMap<number, Decision>> {
  const { action, args: given } = act
  await requireReason(ctx, given.reasons, 'reasons')
  if (action === 'macro') {
    const performed = await performOn(ctx, given.actions ?? [], tickets, given.reasons)
    return new Map([...performed].map(([id, one]) => [id, planActions(ctx, act, one)]))
  }
  await requireAssignment(ctx, given)
  const { tagIds } = given
  if (tagIds && (await countTags(ctx.db, tagIds)) !== new Set(tagIds).size) fail('ERR_NO_TAG_FOUND')
  if (given.kanban != null && !(await hasStage(ctx.db, given.kanban)))
    fail('ERR_VALIDATION', { kanban: 'Esta etapa do kanban não existe.' })
  const until = given.until === undefined ? null : requireSnoozeTime(ctx, given.until, 'until')
  const targets = action === 'channel' ? await targetsFor(ctx, given, tickets) : new Map<number, Target>()
  const closed = [...tickets].flatMap(([id, { row }]) => (row.status === 'closed' ? [id] : []))
  const conversations = await conversationsOf(ctx.db, closed)
  const woken = new Set<string>()
  const begun = new Set<string>()
  const command = commandOf(ctx)
  const farewell = await farewellFor(ctx, given, tickets)
  const decide = (id: number, ticket: KnownTicket): Decision => {
    if (action === 'snooze') return planOf(snooze(stateOf(ticket.row), { ...command, until }), ctx.now)
    if (action === 'channel') {
      const target = targets.get(id) ?? null
      const isTaken = target !== null && (target.isTaken || begun.has(target.conversationKey))
      const plan = planOf(
        changeChannel(stateOf(ticket.row), { ...command, target: target && { ...target, isTaken } }),
        ctx.now,
      )
      // Of two conversations of one contact only one can continue on a connection.
      if (target && isPlan(plan)) begun.add(target.conversationKey)
      return plan
    }
    if (!isMove(action)) return decidePlain(action, given, ticket)
    const { conversation = '', isTaken = false } = conversations.get(id) ?? {}
    const outcome = moveOf(action, given, ticket, { ...command, hasOtherOpen: isTaken || woken.has(conversation) })
    // Of two closed tickets of one conversation only one can be reopened.
    if (typeof outcome !== 'string' && outcome.set.closedAt === null) woken.add(conversation)
    const plan = planOf(outcome, ctx.now)
    return action === 'close' && isPlan(plan) ? ending(ctx, act, plan, farewell(id), ticket) : plan
  }
  return new Map([...tickets].map(([id, ticket]) => [id, decide(id, ticket)]))
}

const isPlan = (decision: Decision): decision is TicketPlan => decision !== null && typeof decision !== 'string'

function planOf(outcome: Outcome, now: Date): Decision {
  if (typeof outcome === 'string') return outcome
  return Object.keys(outcome.set).length === 0 ? null : { fields: fieldsOf(outcome, now), logs: outcome.logs }
}

type Writing = NonNullable<TicketPlan['written']>['all']

// Messages to customers wait until the undo has expired.
function writing({ now }: UserCtx, { id: operationId, total = 1 }: Act, all: Writing): Pick<TicketPlan, 'written'> {
  return operationId === undefined ? {} : { written: { operationId, sendAt: now.getTime() + undoMs(total), all } }
}

/** Returns the text of the chosen farewell per ticket; null for none. */
async function farewellFor(
  ctx: UserCtx,
  { farewellId }: BulkArgs,
  tickets: ReadonlyMap<number, KnownTicket>,
): Promise<(id: number) => string | null> {
  if (farewellId === undefined) return () => null
  const { message: body } = required(await findFarewell(ctx.db, farewellId), 'ERR_NO_FAREWELL_FOUND')
  const text = { kind: 'text', body } as const
  const render = await rendererFor(ctx, [text], [...tickets.keys()])
  return (id) => render(id, text)
}

// Adds the agreed value and the farewell to a plan that closes a ticket.
function ending(ctx: UserCtx, act: TicketAct, plan: TicketPlan, body: string | null, { row }: KnownTicket): Decision {
  const { value } = act.args
  const valued = value === undefined ? plan.fields : { ...plan.fields, value }
  if (body === null) return { ...plan, fields: valued }
  if (body.length > capabilitiesOf(row.channel).maxTextLength) return 'ERR_MESSAGE_TOO_LONG'
  const fields = { ...valued, is_farewell_message: true }
  return { ...plan, fields, ...writing(ctx, act, [{ kind: 'text', body, sendType: 'farewell' }]) }
}

function planActions(ctx: UserCtx, act: TicketAct, performed: Performed): Decision {
  const { set, logs, stageId, written: all, openings, isSame } = performed
  const refusal = refusalOf(performed)
  if (refusal) return refusal
  if (isSame) return null
  const fields = { ...fieldsOf({ set }, ctx.now), ...(stageId === null ? {} : { kanban: stageId }) }
  return { fields, logs, tags: tagsOf(act.args.actions ?? []), openings, ...writing(ctx, act, all) }
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
const isMove = (action: BulkAction): action is Move =>
  ['accept', 'transfer', 'return', 'close', 'reopen'].includes(action)

function moveOf(action: Move, args: BulkArgs, { row }: KnownTicket, command: WakingCommand): Outcome {
  const state = stateOf(row)
  if (action === 'accept') return accept(state, command)
  if (action === 'return') return returnToQueue(state, command)
  if (action === 'reopen') return reopen(state, { ...command, to: 'open' })
  if (action === 'close') return close(state, { ...command, reasonId: args.reasons, isUnrated: args.unrated === true })
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
