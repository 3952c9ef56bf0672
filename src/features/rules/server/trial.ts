import type { Action } from '#domain/actions/actions.ts'
import { itemAt } from '#domain/present.ts'
import { decidedBy, judge } from '#domain/rules/judge.ts'
import { pastStateAfter } from '#domain/rules/past.ts'
import type { RuleEvent, When } from '#domain/rules/rules.ts'
import { ticketsById } from '#features/ledger/server/sets/index.ts'
import { performerOf, refusalOf } from '#features/tickets/server/actions/index.ts'
import { visibleSql } from '#features/visibility/server/index.ts'
import type { Returned } from '#kit/contract.ts'
import { errorText } from '#kit/errors.ts'
import type { Actor } from '#server/actors.ts'
import type { ReadCtx } from '#server/context.ts'
import type { rules } from '../contract.ts'
import { ruleFacts } from './facts.ts'
import { contactNames, logsOf, pastEvents } from './queries.ts'
import { describeDecided } from './stored.ts'

/** Maximum number of past events in a trial. */
const MOST_EVENTS = 500

type Tried = When & { readonly event: RuleEvent; readonly actions: readonly Action[] }

/**
 * Tests a rule on the newest events in tickets that the user sees. Status, agent and queue are reconstructed from the
 * tickets' logs; tags, stage and wallets have no history, so that the present ones are used.
 */
export async function tryRule(ctx: ReadCtx & { user: Actor }, rule: Tried): Promise<Returned<typeof rules.try>> {
  const { db, user, settings } = ctx
  const past = await pastEvents(db, rule.event, { visible: visibleSql(user, settings), most: MOST_EVENTS })
  const ids = [...new Set(past.map(({ ticketId }) => ticketId))]
  const [tickets, names, logs] = await Promise.all([
    ticketsById(db, ids, false),
    contactNames(db, ids),
    logsOf(db, ids),
  ])
  const logsByTicket = Map.groupBy(logs, ({ ticketId }) => ticketId)
  const perform = await performerOf({ ...ctx, user: null }, rule.actions, ids)
  const events = past.flatMap(({ ticketId, at, text }) => {
    const row = tickets.get(ticketId)
    if (!row) return []
    const all = (logsByTicket.get(ticketId) ?? []).map((log) => ({ ...log, at: log.at.getTime() }))
    const isKnown = all.filter((log) => log.at <= at.getTime()).length
    const now = { status: row.status, userId: row.user_id, queueId: row.queue_id }
    const { status, userId, queueId } = pastStateAfter(all, rule.event === 'opened' ? 0 : isKnown, now)
    const then = {
      ...{ ...row, status, user_id: userId, queue_id: queueId, paused_at: null, snoozed_until: null },
      closed_at: status === 'closed' ? at : null,
    }
    const facts = ruleFacts({ row: then }, { text, at, settings, conditions: rule.conditions })
    const { matches, each } = judge(rule, facts)
    const performed = matches ? perform(then, false) : null
    const shown = { at, ticketId, contactName: names.get(ticketId) ?? '', text, matches, conditions: [...each] }
    return [{ shown, performed, decided: decidedBy(rule.conditions, facts) }]
  })
  const decided = await describeDecided(
    db,
    events.map((event) => event.decided),
  )
  return {
    total: events.length,
    matched: events.filter(({ performed }) => performed).length,
    refused: events.filter(({ performed }) => performed && refusalOf(performed) !== null).length,
    events: events.map(({ shown, performed }, index) => ({
      ...shown,
      decided: itemAt(decided, index),
      steps: (performed?.steps ?? []).map(({ refusal, isSame, body }) => ({
        refusal: refusal && errorText(refusal),
        isSame,
        // A customer's name may be in it.
        body: user.restrictedUser ? null : body,
      })),
    })),
  }
}
