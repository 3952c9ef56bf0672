import {
  type Action,
  type ActionRefusal,
  namedIn,
  type Performed,
  performAll,
  type Written,
} from '#domain/actions/actions.ts'
import { conversationsOf } from '#features/ledger/server/sets/index.ts'
import { fillIn, findSubjects } from '#features/ledger/server/texts/index.ts'
import { withSignature } from '#features/messages/server/send/index.ts'
import type { KnownTicket } from '#features/visibility/server/index.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import type { Actor } from '#server/actors.ts'
import type { ReadCtx } from '#server/context.ts'
import { commandOf, stateOf } from '../change/change.ts'
import { findSpeakers, findThere } from './queries-actions.ts'

/** Context of a list of actions: the user who runs it, or null for a rule. */
type Asking = Pick<ReadCtx, 'db' | 'settings' | 'now'> & { readonly user: Actor | null }

/**
 * Decides the effect of a list of actions on each ticket without changing anything; the only such function. `reasonId`:
 * closing reason if the list has none.
 */
export async function performOn(
  ctx: Asking,
  actions: readonly Action[],
  tickets: ReadonlyMap<number, KnownTicket>,
  reasonId?: number,
): Promise<ReadonlyMap<number, Performed>> {
  const closed = [...tickets].flatMap(([id, { row }]) => (row.status === 'closed' ? [id] : []))
  const conversations = await conversationsOf(ctx.db, closed)
  const perform = await performerOf(ctx, actions, [...tickets.keys()], reasonId)
  const woken = new Set<string>()
  const decide = (id: number, { row }: KnownTicket): Performed => {
    const { conversation = '', isTaken = false } = conversations.get(id) ?? {}
    const performed = perform(row, isTaken || woken.has(conversation))
    // Of two closed tickets of one conversation only one can be reopened.
    if (refusalOf(performed) === null && performed.set.closedAt === null) woken.add(conversation)
    return performed
  }
  return new Map([...tickets].map(([id, ticket]) => [id, decide(id, ticket)]))
}

/**
 * Loads the data that a list of actions needs for these tickets; returns a function that decides its effect on one of them,
 * in its current or an earlier state.
 */
export async function performerOf(
  ctx: Asking,
  actions: readonly Action[],
  ticketIds: readonly number[],
  reasonId?: number,
): Promise<(row: KnownTicket['row'], hasOtherOpen: boolean) => Performed> {
  const there = await findThere(ctx.db, namedIn(actions))
  const render = await rendererFor(ctx, actions, ticketIds)
  const command = commandOf(ctx)
  return (row, hasOtherOpen) =>
    performAll(actions, {
      ticket: stateOf(row),
      tagIds: row.tag_ids,
      // A closed ticket keeps the stage in which it ended; reopened, it takes its contact's.
      stageId: row.status === 'closed' ? null : row.kanban,
      command: { ...command, hasOtherOpen },
      there,
      reasonId,
      maxTextLength: capabilitiesOf(row.channel).maxTextLength,
      render: (action) => render(row.id, action),
    })
}

/** Returns the first refusal of a list of actions, which then changes nothing; null if there is none. */
export const refusalOf = ({ steps }: Performed): ActionRefusal | null =>
  steps.find(({ refusal }) => refusal !== null)?.refusal ?? null

const textsOf = (action: Action | Written): readonly string[] =>
  'body' in action ? [action.body] : action.kind === 'opportunity' ? [action.name] : []

/** Returns a function that fills the variables of texts per ticket; for texts of a person or a rule. */
export async function rendererFor(
  ctx: Asking,
  actions: readonly (Action | Written)[],
  ticketIds: readonly number[],
): Promise<(ticketId: number, action: Written) => string> {
  const { db, user } = ctx
  const texts = actions.flatMap(textsOf)
  const asks = ticketIds.length > 0 && texts.some((text) => text.includes('{{'))
  const subjects = asks ? await findSubjects(db, ticketIds) : null
  const speaker = asks && user ? (await findSpeakers(db, [user.id])).get(user.id) : null
  return (ticketId, { kind, body }) => {
    const subject = subjects?.get(ticketId)
    const text = subject ? fillIn(ctx, body, subject, speaker) : body
    return kind === 'text' && user ? withSignature(ctx, user, text) : text
  }
}
