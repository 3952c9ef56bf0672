import { type Decision, distribute, type WaitingTicket } from '#domain/distribution/distribute.ts'
import { carryOut, giveBack } from '#domain/distribution/moves.ts'
import { lookUp } from '#domain/present.ts'
import type { TicketChange, TicketState } from '#domain/tickets/transitions.ts'
import { runHooks } from '#features/ledger/server/hooks/index.ts'
import { factsOf, loadTicketRows } from '#features/ledger/server/rows/index.ts'
import { ticketsById } from '#features/ledger/server/sets/index.ts'
import {
  candidatesOf,
  findWaiting,
  lockAbandoned,
  lockDistribution,
  lockWaiting,
  moveWaits,
  noteTurns,
  noteWaits,
  rulesOf,
  walletsRule,
} from '#features/ledger/server/turns/index.ts'
import { ticketEvents } from '#features/ledger/ticket-rows.ts'
import { stateOf, writeMoves } from '#features/tickets/server/change/index.ts'
import { announce } from '#features/visibility/server/index.ts'
import { isOn } from '#kit/settings.ts'
import { type Ctx, unit } from '#server/context.ts'
import type { Platform } from '#server/platform.ts'

/** Maximum number of tickets moved in one transaction. */
const BLOCK = 500

/**
 * Distributes a company's waiting tickets: assigns them to available agents, overflows those without, and takes back tickets
 * whose agent is absent. Idempotent; concurrent processes run one after the other.
 */
export async function distributeWaiting(platform: Platform, tenantId: number): Promise<void> {
  while (await unit(platform, { tenantId, user: null }, distributeBlock));
}

type Rules = Awaited<ReturnType<typeof rulesOf>>

async function distributeBlock(ctx: Ctx): Promise<boolean> {
  await lockDistribution(ctx.db)
  const returned = await takeBack(ctx)
  const rules = await rulesOf(ctx)
  if (isIdle(rules)) return returned === BLOCK
  await noteWaits(ctx.db, ctx.now)
  const waiting = await findWaiting(ctx.db, walletsRule(ctx.settings))
  const moved = waiting.length === 0 ? [] : await decideFor(ctx, waiting, rules)
  const isMore = moved.length > BLOCK || returned === BLOCK
  const block = new Map(moved.slice(0, BLOCK).map((one) => [one.ticketId, one]))
  if (block.size === 0) return isMore
  const locked = await lockWaiting(ctx.db, [...block.keys()])
  const done = locked.map((id) => lookUp(block, id))
  await move(ctx, locked, (ticket, id) => carryOut(ticket, lookUp(block, id), ctx.now.getTime()))
  const flowed = done.filter(({ path }) => path.length > 0)
  if (flowed.length > 0) await moveWaits(ctx.db, flowed, ctx.now)
  // In the order in which they were decided.
  const given = [...block.values()].filter(({ ticketId, userId }) => userId !== null && locked.includes(ticketId))
  if (given.length > 0)
    await noteTurns(
      ctx.db,
      given.map(({ userId }) => userId!),
    )
  await runHooks(
    ctx,
    'onAssigned',
    given.map(({ ticketId, userId }) => ({ ticketId, userId: userId!, byUserId: null })),
  )
  await ctx.platform.checkpoint('tickets distributed')
  // Tickets locked by others are tried again when they are unlocked.
  return isMore && locked.length > 0
}

/** Whether no queue distributes or overflows. */
const isIdle = ({ queues, noQueue }: Rules): boolean =>
  noQueue === 'N' && [...queues.values()].every(({ mode, overflowQueueId }) => mode === 'N' && overflowQueueId === null)

async function decideFor(ctx: Ctx, waiting: readonly WaitingTicket[], rules: Rules): Promise<Decision[]> {
  const now = ctx.now.getTime()
  const decisions = distribute(waiting, await candidatesOf(ctx), { ...rules, now, seed: now % 2 ** 32 })
  return decisions.filter(({ userId, path }) => userId !== null || path.length > 0)
}

async function takeBack(ctx: Ctx): Promise<number> {
  if (!isOn(ctx.settings, 'returnAbsent')) return 0
  const ids = await lockAbandoned(ctx.db, ctx.now, Number(ctx.settings.values.returnAbsentMinutes), BLOCK)
  await move(ctx, ids, (ticket) => giveBack(ticket, ctx.now.getTime()))
  return ids.length
}

/** Stores the decisions on locked tickets, and publishes them to those who may see the tickets and to the new agents. */
async function move(
  ctx: Ctx,
  ids: readonly number[],
  decide: (ticket: TicketState, id: number) => TicketChange,
): Promise<void> {
  if (ids.length === 0) return
  const before = await ticketsById(ctx.db, ids, false)
  const moves = [...before.values()].map((row) => ({ id: row.id, ...decide(stateOf(row), row.id) }))
  await writeMoves(ctx, moves, async () => {
    for (const [id, after] of await loadTicketRows(ctx.db, ids, ctx)) {
      announce(ctx, factsOf(lookUp(before, id)), after)
      const { userId, status } = after.row
      if (status === 'open' && userId !== null)
        ctx.emit(ticketEvents.notify, { ...after.row, draft: null }, { kind: 'users', ids: [userId] })
    }
  })
}
