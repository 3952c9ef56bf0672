import { type ActType, isOneEmoji, whyNotAct } from '#domain/messages/acts.ts'
import { isSigned, signed } from '#domain/messages/signature.ts'
import { firstOf } from '#domain/present.ts'
import { applyOwn, insertAct, lockForAct, moveActs, publishActed } from '#features/ledger/server/acts/index.ts'
import { addTrail, serializeMessage } from '#features/ledger/server/messages/index.ts'
import { enqueueSending, requireWritable } from '#features/ledger/server/outbox/index.ts'
import { requireVisibleMessage } from '#features/visibility/server/index.ts'
import { fail, required } from '#kit/errors.ts'
import { isOn } from '#kit/settings.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import { type Actor, may } from '#server/actors.ts'
import type { Ctx } from '#server/context.ts'
import { changeMentions, requireMentions, withdrawMentions } from '../mentions/mentions.ts'
import { answer as asItIs, cancelMessage } from './own.ts'

type UserCtx = Ctx & { user: Actor }
type Locked = NonNullable<Awaited<ReturnType<typeof lockForAct>>>
type Wanted = { type: ActType; body?: string; emoji?: string | null; id?: string | undefined }

// Messages of tickets that the user may not see count as missing.
async function lockMessage(ctx: UserCtx, id: string) {
  const message = required(await lockForAct(ctx.db, id), 'ERR_FETCH_WAPP_MSG')
  const { row, facts } = await requireVisibleMessage(ctx, message.ticket_id)
  return { message, channel: row.channel, facts }
}

const targetOf = (message: Locked) => ({
  fromMe: message.from_me,
  isNote: message.is_note,
  isDeleted: message.is_deleted,
  type: message.media_type,
  hasText: message.body !== '',
  status: message.status,
  at: message.timestamp.getTime(),
  isWaiting: message.send_at !== null,
})

async function answer(ctx: UserCtx, id: string) {
  const row = firstOf(await publishActed(ctx, [id]))
  return serializeMessage(ctx.platform, ctx.tenantId, row)
}

/** Records an edit, revocation or reaction in the ledger, after all earlier messages of its conversation. */
async function record(ctx: UserCtx, message: Locked, wanted: Wanted) {
  const { type, body = null, emoji = null, id = ctx.newId() } = wanted
  const { connection_id: connectionId, conversation_key: conversationKey } = message
  const base = { connectionId, conversationKey, messageId: message.id, userId: ctx.user.id }
  const isNew = await insertAct(ctx.db, { ...base, id, type, body, emoji, status: 'pending' }, ctx.now)
  if (isNew) {
    // This attempt replaces earlier failed ones.
    await moveActs(ctx.db, message.id, { from: ['failed'], to: 'canceled', type }, ctx.now)
    await addTrail(ctx.db, [{ messageId: message.id, step: type, detail: { act: id, user: ctx.user.name } }])
    enqueueSending(ctx, message)
  }
  return answer(ctx, message.id)
}

async function requireAllowed(ctx: UserCtx, type: ActType, message: Locked, channel: string) {
  const capabilities = capabilitiesOf(channel)
  const refusal = whyNotAct(type, targetOf(message), capabilities, ctx.now.getTime())
  if (refusal) fail(refusal)
  return capabilities
}

/** Edits the text of a message of the team, on the contact's side too. */
export async function editMessage(
  ctx: UserCtx,
  given: { messageId: string; body: string; actId?: string | undefined },
) {
  const { message, channel } = await lockMessage(ctx, given.messageId)
  const { maxTextLength } = await requireAllowed(ctx, 'edit', message, channel)
  // Users who must sign cannot remove the signature by editing.
  const mustSign = isOn(ctx.settings, 'signed') && ctx.user.profile === 'user'
  const body = mustSign && !isSigned(given.body) ? signed(given.body, ctx.user.name) : given.body
  if (body.length > maxTextLength) fail('ERR_MESSAGE_TOO_LONG', { maxLength: maxTextLength })
  return record(ctx, message, { type: 'edit', body, id: given.actId })
}

/** Reacts to a message with one emoji; an empty string removes the reaction. */
export async function reactToMessage(
  ctx: UserCtx,
  given: { messageId: string; ticketId: number; reaction: string; actId?: string | undefined },
) {
  const { message, channel } = await lockMessage(ctx, given.messageId)
  if (message.ticket_id !== given.ticketId) fail('ERR_FETCH_WAPP_MSG')
  if (given.reaction !== '' && !isOneEmoji(given.reaction)) fail('ERR_VALIDATION', { reaction: 'Escolha um emoji.' })
  await requireAllowed(ctx, 'react', message, channel)
  await requireWritable(ctx, { ...message, channel })
  return record(ctx, message, { type: 'react', emoji: given.reaction || null, id: given.actId })
}

// Only the author and leads may change a note.
function requireAuthor({ user, settings }: UserCtx, { user_id: authorId }: Locked): void {
  if (authorId !== user.id && !may(user, settings, 'tickets:all')) fail('ERR_NO_PERMISSION')
}

/** Deletes a message: cancels a waiting one, revokes a sent one on the contact's side, deletes a note locally. */
export async function deleteMessage(
  ctx: UserCtx,
  given: { id: string; messageId?: string | null | undefined; actId?: string | undefined },
) {
  const { message, channel } = await lockMessage(ctx, given.id)
  const { provider_id: providerId, status } = message
  if (given.messageId && given.messageId !== providerId) fail('ERR_FETCH_WAPP_MSG')
  if (message.is_deleted || status === 'canceled') return asItIs(ctx, message.id)
  if (message.is_note) {
    requireAuthor(ctx, message)
    await withdrawMentions(ctx, { id: message.id, ticketId: message.ticket_id })
    return applyToNote(ctx, message, { type: 'revoke' })
  }
  if (message.from_me && (status === 'pending' || status === 'failed' || status === 'uncertain')) {
    await cancelMessage(ctx, message)
    return asItIs(ctx, message.id)
  }
  await requireAllowed(ctx, 'revoke', message, channel)
  return record(ctx, message, { type: 'revoke', id: given.actId })
}

/** Edits a note (one's own, or any for leads): its text, and its mentions if given. */
export async function changeNote(
  ctx: UserCtx,
  id: string,
  given: {
    body?: string | undefined
    scheduleDate?: string | null | undefined
    repeat?: string | null | undefined
    cancelOnReply?: boolean | undefined
    mentionedUsers?: readonly number[] | undefined
    mentionedTeams?: readonly number[] | undefined
  },
) {
  const { message, facts } = await lockMessage(ctx, id)
  requireAuthor(ctx, message)
  if (message.is_deleted) fail('ERR_FETCH_WAPP_MSG')
  if ([given.scheduleDate, given.repeat, given.cancelOnReply].some((one) => one !== undefined))
    fail('ERR_VALIDATION', { scheduleDate: 'Notas internas não são agendadas.' })
  const { mentionedUsers, mentionedTeams } = given
  const body = (given.body ?? message.body).trim() || fail('ERR_MESSAGE_EMPTY')
  if (mentionedUsers || mentionedTeams) {
    const wanted = { userIds: mentionedUsers ?? [], teamIds: mentionedTeams ?? [] }
    await changeMentions(ctx, { id, ticketId: message.ticket_id }, await requireMentions(ctx, facts, wanted))
  }
  if (body === message.body) return answer(ctx, id)
  return applyToNote(ctx, message, { type: 'edit', body })
}

// Notes exist only here: edits and deletions apply at once.
async function applyToNote(ctx: UserCtx, message: Locked, given: { type: 'edit' | 'revoke'; body?: string }) {
  const { type, body = null } = given
  const id = ctx.newId()
  const { connection_id: connectionId, conversation_key: conversationKey } = message
  const act = { id, type, body, emoji: null }
  const base = { connectionId, conversationKey, messageId: message.id, userId: ctx.user.id }
  await insertAct(ctx.db, { ...base, ...act, status: 'sent' }, ctx.now)
  await applyOwn(ctx, { ...act, message_id: message.id }, { user: ctx.user.name })
  return answer(ctx, message.id)
}

/** Retries or cancels failed edits, revocations and reactions of a message; returns false if there are none. */
export async function retryOrCancelActs(
  ctx: UserCtx,
  message: { id: string; connection_id: number; conversation_key: string },
  to: 'pending' | 'canceled',
): Promise<boolean> {
  const from = to === 'pending' ? (['failed'] as const) : (['pending', 'failed'] as const)
  const moved = await moveActs(ctx.db, message.id, { from, to }, ctx.now)
  if (moved.length === 0) return false
  const step = to === 'pending' ? 'retried' : 'canceled'
  await addTrail(
    ctx.db,
    moved.map(({ id, type }) => ({
      messageId: message.id,
      step: `${type}:${step}`,
      detail: { act: id, user: ctx.user.name },
    })),
  )
  if (to === 'pending') enqueueSending(ctx, message)
  await publishActed(ctx, [message.id])
  return true
}
