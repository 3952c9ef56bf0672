import type { Action } from '#domain/actions/actions.ts'
import { lookUp } from '#domain/present.ts'
import { decidedBy, judge } from '#domain/rules/judge.ts'
import { type Condition, MOST_IN_A_ROW, type RuleEvent, whyConditionGone } from '#domain/rules/rules.ts'
import { stageJob } from '#features/flows/server/index.ts'
import type { Hook, HookCause } from '#features/ledger/server/hooks/index.ts'
import { ticketsById } from '#features/ledger/server/sets/index.ts'
import { actUnattended, enqueueOpenings, refusalOf } from '#features/tickets/server/actions/index.ts'
import type { Ctx } from '#server/context.ts'
import { ruleFacts } from './facts.ts'
import { countDone, insertRun, listActive, type RuleRecord, updateRun } from './queries.ts'
import { conditionNames, idsThere, readRule } from './stored.ts'

type Happened = {
  readonly event: RuleEvent
  readonly ticketId: number
  readonly text: string
  /** Whether the event was automatic, so that it may be a consequence of a rule. */
  readonly isByItself?: boolean
}
type Active = Pick<RuleRecord, 'id' | 'name' | 'match'> & {
  readonly conditions: Condition[]
  readonly actions: Action[]
}

/**
 * Runs the rules for events within their transaction, each rule once per event. Actions are events too, up to
 * `MOST_IN_A_ROW` rules in a row; the same limit applies per rule and ticket to later automatic consequences, until a person
 * or customer writes.
 */
async function answer(ctx: Ctx, batch: readonly (Happened | null)[], cause: HookCause): Promise<void> {
  const rules = new Map<RuleEvent, Active[]>()
  for (const [index, happened] of batch.entries()) {
    if (!happened || !ctx.settings.values.ruleEvents.includes(`"${happened.event}"`)) continue
    const { event } = happened
    if (!rules.has(event)) rules.set(event, await answering(ctx, event))
    for (const rule of lookUp(rules, event)) await act(ctx, rule, happened, { ...cause, id: `${cause.id}:${index}` })
  }
}

/** Returns the active rules of an event, except those with deleted records in their conditions. */
async function answering({ db }: Ctx, event: RuleEvent): Promise<Active[]> {
  const active = (await listActive(db, event)).flatMap((row) => {
    const read = readRule(row)
    return read ? [{ ...row, ...read }] : []
  })
  const there = idsThere(
    await conditionNames(
      db,
      active.flatMap(({ conditions }) => conditions),
    ),
  )
  return active.filter(({ conditions }) => conditions.every((one) => whyConditionGone(one, there) === null))
}

async function act(ctx: Ctx, rule: Active, happened: Happened, { id, depth }: HookCause): Promise<void> {
  const { ticketId, text, isByItself = false } = happened
  // The ticket as the previous rules left it.
  const row = (await ticketsById(ctx.db, [ticketId], true)).get(ticketId)
  if (!row || row.is_group) return
  const facts = ruleFacts({ row }, { text, at: ctx.now, settings: ctx.settings, conditions: rule.conditions })
  if (!judge(rule, facts).matches) return
  const before = isByItself ? await countDone(ctx.db, rule.id, ticketId, MOST_IN_A_ROW) : 0
  const outcome = Math.max(depth, before) < MOST_IN_A_ROW ? 'done' : 'stopped'
  const conditions = decidedBy(rule.conditions, facts)
  const runId = await insertRun(ctx.db, { ruleId: rule.id, eventKey: id, ticketId, outcome, conditions, now: ctx.now })
  if (runId === null || outcome === 'stopped') return
  const performed = await actUnattended({ ...ctx, depth: depth + 1 }, ticketId, rule.actions, rule.name)
  const { steps, stageId, openings, isSame } = performed
  const isRefused = refusalOf(performed) !== null
  if (stageId !== null && !isRefused) {
    const key = `rule:${ctx.tenantId}:${runId}`
    ctx.enqueue(stageJob, { contactId: row.contact_id, kanban: stageId }, { key })
  }
  if (!isRefused) {
    const about = { ticketId, contactId: row.contact_id }
    enqueueOpenings(ctx, openings, { wish: `rule:${runId}`, ...about })
  }
  await updateRun(ctx.db, runId, {
    outcome: isRefused ? 'refused' : isSame ? 'same' : 'done',
    steps: steps.map(({ refusal }, index) => ({ action: rule.actions[index], refusal })),
  })
}

/** Hook that runs rules when tickets open. */
export const actOnOpened: Hook<'onOpened'> = {
  name: 'rules-opened',
  run: async (ctx, batch, cause) => {
    const happened = batch.map(({ ticketId, isReopened }) =>
      isReopened ? null : ({ event: 'opened', ticketId, text: '' } as const),
    )
    await answer(ctx, happened, cause)
    return {}
  },
}

/** Hook that runs rules when tickets get an agent. */
export const actOnAssigned: Hook<'onAssigned'> = {
  name: 'rules-assigned',
  run: async (ctx, batch, cause) => {
    const happened = batch.map(({ ticketId, byUserId }) => {
      return { event: 'assigned', ticketId, text: '', isByItself: byUserId === null } as const
    })
    await answer(ctx, happened, cause)
    return {}
  },
}

/** Hook that runs rules when tickets are closed, except by the removal of their connection. */
export const actOnClosed: Hook<'onClosed'> = {
  name: 'rules-closed',
  run: async (ctx, batch, cause) => {
    const happened = batch.map(({ ticketId, how }) =>
      how === 'removal'
        ? null
        : ({ event: 'closed', ticketId, text: '', isByItself: how === 'timer' || how === 'rule' } as const),
    )
    await answer(ctx, happened, cause)
    return {}
  },
}

/** Hook that runs rules on messages of customers and the team; not on late ones, in closed tickets, or automatic ones. */
export const actOnMessages: Hook<'onMessageSent'> = {
  name: 'rules-messages',
  run: async (ctx, batch, cause) => {
    const happened = batch.map(({ ticketId, fromMe, isNote, isLate, isClosed, isGroup, isAutomatic, text }) =>
      isNote || isLate || isClosed || isGroup || isAutomatic
        ? null
        : ({ event: fromMe ? 'sent' : 'received', ticketId, text } as const),
    )
    await answer(ctx, happened, cause)
    return {}
  },
}
