import { stateAfter } from '#domain/messages/acts.ts'
import { lookUp } from '#domain/present.ts'
import type { MessageAct, ProviderEvent } from '#providers/channels/port.ts'
import type { Ctx } from '#server/context.ts'
import { namesIn } from '../groups/names.ts'
import type { JournalEntry } from '../journal/journal-queries.ts'
import { addTrail } from '../messages/queries.ts'
import { publishActed } from './publish.ts'
import {
  attachWaiting,
  changeMessage,
  changeOf,
  eraseIfAsked,
  findAuthorship,
  insertReceived,
  lockTargets,
  receivedOf,
} from './queries.ts'

/** Message that was just written, by its provider id, for which acts wait. */
export type Awaited = { readonly connectionId: number; readonly providerId: string }

const TYPES = { edit: 'edit', revoke: 'revoke', reaction: 'react' } as const

/** Whether an event is an act on a message. */
export const isAct = (event: ProviderEvent): event is MessageAct => event.type in TYPES

const receivedRow = (act: MessageAct) => ({
  fromMe: act.fromMe ?? false,
  author: (!act.fromMe && act.author) || null,
  conversationKey: act.conversationKey,
  providerId: act.providerId,
  dedupeKey: act.dedupeKey,
  type: TYPES[act.type],
  body: act.type === 'edit' ? act.body : null,
  mentions: act.type === 'edit' ? (act.mentions ?? null) : null,
  emoji: act.type === 'reaction' ? act.emoji : null,
  at: act.timestamp,
})

/**
 * Applies a batch of journaled acts of contacts, and of the company on its phone, and those that waited for messages that
 * have come (`awaited`). Each message's state is derived from all acts on it, so repeated, late and reordered ones end the
 * same (decision 0038); acts ahead of their message wait.
 */
export async function applyActs(
  ctx: Ctx,
  entries: readonly JournalEntry[],
  awaited: readonly Awaited[] = [],
): Promise<void> {
  const acts = entries.flatMap((entry) => (isAct(entry.payload) ? [{ entry, act: entry.payload }] : []))
  if (acts.length === 0 && awaited.length === 0) return
  if (acts.length > 0)
    await insertReceived(
      ctx.db,
      acts.map(({ entry, act }) => ({ id: ctx.newId(), connectionId: entry.connection_id, ...receivedRow(act) })),
      ctx.now,
    )
  const keys = acts.map(({ entry, act }) => ({ connectionId: entry.connection_id, providerId: act.providerId }))
  const targets = await lockTargets(ctx.db, [...keys, ...awaited])
  const attached = targets.length > 0 ? await attachWaiting(ctx.db, targets, ctx.now) : []
  if (attached.length === 0) return
  const received = Map.groupBy(
    await receivedOf(
      ctx.db,
      attached.map((act) => act.message_id),
    ),
    (act) => act.message_id,
  )
  await addTrail(
    ctx.db,
    attached.map(({ id, message_id, type, from_me }) => ({
      messageId: message_id,
      step: `${type}:${from_me ? 'phone' : 'received'}`,
      detail: { act: id },
    })),
  )
  const reached = targets.filter(({ id }) => received.has(id))
  const authorship = await findAuthorship(ctx.db, reached)
  const acted = reached.map((target) => ({
    target,
    state: stateAfter(lookUp(received, target.id), authorship(target)),
  }))
  const named = await namesIn(
    ctx.db,
    acted.map(({ target, state }) => ({ contactId: target.contact_id, mentions: state.mentions })),
  )
  const changed: string[] = []
  for (const { target, state } of acted) {
    const { body, mentions } = state
    const change = changeOf(target, state, body === null ? null : named(target.contact_id, body, mentions))
    if (Object.keys(change).length === 0) continue
    await changeMessage(ctx.db, target.id, change, ctx.now)
    if (target.is_deleted || change.is_deleted) await eraseIfAsked(ctx.db, target.id, ctx.now)
    changed.push(target.id)
  }
  await publishActed(ctx, changed)
}
