import type { ActType } from '#domain/messages/acts.ts'
import type { Ctx } from '#server/context.ts'
import { mentionedAfter } from '../groups/mentioned.ts'
import { addTrail, findMessages } from '../messages/queries.ts'
import { publishActed } from './publish.ts'
import { type ActRow, changeMessage, eraseIfAsked, lockAct, type MessageChange, updateAct } from './queries.ts'

/** Result of an attempt to perform one of our acts on a channel. */
export type ActOutcome =
  | { readonly status: 'sent' }
  | { readonly status: 'pending'; readonly reason: string; readonly seconds: number; readonly isFailure: boolean }
  | { readonly status: 'failed' | 'canceled'; readonly reason: string }

/** Applies our act to its locked message, with the trail step; publishes nothing. */
export async function applyOwn(
  ctx: Ctx,
  act: Pick<ActRow, 'id' | 'message_id' | 'type' | 'body' | 'emoji'>,
  about: object = {},
): Promise<void> {
  const [message] = await findMessages(ctx.db, [act.message_id])
  if (!message) return
  const edited = async (body: string): Promise<MessageChange> => {
    const edition = message.edition ?? message.body
    if (message.is_note) return { body, edition }
    const of = { ticketId: message.ticket_id, mentions: message.mentions }
    return { body, edition, mentions: await mentionedAfter(ctx.db, of, body) }
  }
  const changes: Readonly<Record<ActType, () => MessageChange | Promise<MessageChange>>> = {
    edit: () => edited(act.body ?? ''),
    revoke: () => ({ is_deleted: true }),
    react: () => ({ reaction_from_me: act.emoji }),
  }
  await changeMessage(ctx.db, message.id, await changes[act.type](), ctx.now)
  if (message.is_deleted || act.type === 'revoke') await eraseIfAsked(ctx.db, message.id, ctx.now)
  await addTrail(ctx.db, [{ messageId: message.id, step: `${act.type}:sent`, detail: { act: act.id, ...about } }])
}

/**
 * Records the outcome of attempt `attempt` of an act and publishes it; false if a later attempt began or it was
 * canceled, unless the channel accepted it, which stays true.
 */
export async function recordAct(ctx: Ctx, id: string, attempt: number, outcome: ActOutcome): Promise<boolean> {
  const act = await lockAct(ctx.db, id)
  if (act?.attempts !== attempt) return false
  if (act.status === 'sent' || (act.status !== 'queued' && outcome.status !== 'sent')) return false
  const { status } = outcome
  const failures = act.failures + (status === 'pending' && outcome.isFailure ? 1 : 0)
  const error_code = status === 'failed' ? 'ERR_ACT_REFUSED' : null
  await updateAct(ctx.db, id, { status, error_code, failures }, ctx.now)
  if (status === 'sent') await applyOwn(ctx, act)
  else {
    const step = status === 'pending' ? 'waiting' : status
    const detail = { act: id, reason: outcome.reason, ...(status === 'pending' ? { seconds: outcome.seconds } : {}) }
    await addTrail(ctx.db, [{ messageId: act.message_id, step: `${act.type}:${step}`, detail }])
  }
  await publishActed(ctx, [act.message_id])
  return true
}
