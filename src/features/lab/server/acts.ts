import { createHash } from 'node:crypto'
import { ownMember } from '#domain/keys.ts'
import { isOneEmoji } from '#domain/messages/acts.ts'
import { pollOf, votesOf } from '#domain/messages/data.ts'
import { type MessageMentions, mentionsIn } from '#domain/messages/group-mentions.ts'
import { choicesOf } from '#domain/messages/interactive.ts'
import { appendEvents } from '#features/ledger/server/ingest/index.ts'
import type { Input } from '#kit/contract.ts'
import { fail, required } from '#kit/errors.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import type { MessageAct } from '#providers/channels/port.ts'
import { type Ctx, unit } from '#server/context.ts'
import type { SlowCtx } from '#server/http/route.ts'
import type { LabMessage, lab } from '../contract.ts'
import { isConnectionDown, readFaults } from './faults.ts'
import { addressed, asMentioned, sendFromPhone, shownNumber, writerOf } from './from-phone.ts'
import { orderWorld } from './orders.ts'
import { shownMessage } from './phones.ts'
import { changeOnPhone, findMessage, type LabChange } from './queries.ts'
import type { LabMessageRow, LabSender, PhoneRow } from './rows.ts'
import { publishMessage } from './to-phone.ts'

/** Acting phone; in a group, the acting member and the group. */
type Hand = { id: number; groupId?: number | undefined }
type Asked = Input<typeof lab.act>['body']
type Decided = {
  change: LabChange
  /** Mentions of an edited text. */
  mentions?: MessageMentions | null
  event:
    | { type: 'edit'; body: string; mentions?: string[] }
    | { type: 'revoke' }
    | { type: 'reaction'; emoji: string | null }
}

/**
 * Edits, revokes, reacts to, or presses a button of a message for the phone's person. Phone and product are updated in one
 * commit, unless nothing changes.
 */
export async function actFromPhone(
  ctx: SlowCtx,
  { id, messageId }: { id: number; messageId: string },
  asked: Asked,
): Promise<LabMessage> {
  const { groupId } = asked
  if (asked.act === 'press') return press(ctx, { id, groupId }, messageId, asked.buttonId)
  if (asked.act === 'vote') return vote(ctx, { id, groupId }, messageId, asked.options ?? [])
  const { phone, message } = await unit(ctx.platform, ctx, async (tx) => {
    const { phone, row, sender } = await lockBoth(tx, { id, groupId }, messageId)
    const { change, event, mentions } = decide(asked, phone, row)
    const isSame = Object.entries(change).every(([name, value]) => ownMember(row, name) === value)
    const changes = mentions === undefined ? change : { ...change, mentions: mentions && JSON.stringify(mentions) }
    if (isSame || !(await changeOnPhone(tx.db, phone.id, messageId, changes)))
      return { phone: null, message: shownMessage(tx.platform, tx.tenantId, row) }
    const about = { dedupeKey: tx.newId(), conversationKey: shownNumber(phone), providerId: messageId }
    const by = sender ? { author: { identity: sender.number, number: sender.number } } : {}
    const published: MessageAct = { ...about, ...by, timestamp: tx.now.getTime(), ...event }
    if (!phone.is_linked) await appendEvents(tx, phone.connection_id, [published])
    return { phone, message: shownMessage(tx.platform, tx.tenantId, await publishMessage(tx, phone.id, messageId)) }
  })
  if (phone?.is_linked)
    orderWorld(
      ctx.platform,
      { tenantId: ctx.tenantId, connectionId: phone.connection_id },
      { act: 'change', phoneId: phone.id, id: messageId, what: asked.act, by: id },
    )
  return message
}

async function lockBoth(
  ctx: Ctx,
  { id, groupId }: Hand,
  messageId: string,
): Promise<{ phone: PhoneRow; row: LabMessageRow; sender: LabSender | null }> {
  const { phone, sender } = await writerOf(ctx.db, id, groupId)
  const found = required(await findMessage(ctx.db, phone.id, messageId), 'ERR_NOT_FOUND')
  if (capabilitiesOf(phone.type).smsParts) fail('ERR_CHANNEL_CANNOT')
  // Each member of a group may change their own messages.
  const row = { ...found, from_phone: found.from_phone && found.sender?.id === sender?.id }
  if (isConnectionDown(readFaults(phone.faults), ctx.now.getTime()))
    fail('ERR_VALIDATION', { act: 'O telefone está sem conexão.' })
  return { phone, row, sender }
}

function decide(asked: Asked, phone: PhoneRow, row: LabMessageRow): Decided {
  if (asked.act === 'react') {
    const { reaction = '' } = asked
    if (reaction !== '' && !isOneEmoji(reaction)) fail('ERR_VALIDATION', { reaction: 'Escolha um emoji.' })
    return { change: { reaction: reaction || null }, event: { type: 'reaction', emoji: reaction || null } }
  }
  if (!row.from_phone) fail('ERR_VALIDATION', { act: 'Só o que o telefone enviou pode ser editado ou apagado.' })
  if (asked.act === 'revoke') return { change: { is_deleted: true }, event: { type: 'revoke' } }
  const body = asked.body ?? fail('ERR_VALIDATION', { body: 'Preencha este campo.' })
  const mentions = row.sender && mentionsIn(body, phone.members.map(asMentioned))
  return { change: { body, is_edited: true }, mentions, event: { type: 'edit', ...addressed(body, mentions) } }
}

// The holder of the phone, or each group member, has one vote: the last one counts.
async function vote(
  ctx: SlowCtx,
  { id, groupId }: Hand,
  messageId: string,
  options: readonly string[],
): Promise<LabMessage> {
  const { phone, message } = await unit(ctx.platform, ctx, async (tx) => {
    const { phone, row } = await lockBoth(tx, { id, groupId }, messageId)
    const poll = row.media_type === 'poll' && !row.from_phone && !row.is_deleted ? pollOf(row.data) : null
    if (!poll) return fail('ERR_VALIDATION', { act: 'Nesta mensagem não se vota.' })
    const chosen = poll.options.filter((option) => options.includes(option))
    if (chosen.length !== new Set(options).size || (chosen.length > 1 && !poll.many))
      fail('ERR_VALIDATION', { options: 'Escolha entre as opções da enquete.' })
    const data = { poll, votes: { ...votesOf(row.data), [id]: chosen } }
    await changeOnPhone(tx.db, phone.id, messageId, { data: JSON.stringify(data) })
    return { phone, message: shownMessage(tx.platform, tx.tenantId, await publishMessage(tx, phone.id, messageId)) }
  })
  const connected = { tenantId: ctx.tenantId, connectionId: phone.connection_id }
  orderWorld(ctx.platform, connected, { act: 'vote', phoneId: phone.id, id: messageId, options, by: id })
  return message
}

// A button or row can be chosen once: the answer's id is derived from message and button.
async function press(
  ctx: SlowCtx,
  { id: phoneId, groupId }: Hand,
  messageId: string,
  buttonId = '',
): Promise<LabMessage> {
  const row = await ctx.platform.db.read(ctx.tenantId, (db) => findMessage(db, groupId ?? phoneId, messageId))
  if (!row) return fail('ERR_NOT_FOUND')
  const choices = row.from_phone || row.is_deleted ? [] : choicesOf(row.data)
  const button = choices.find((one) => one.id === buttonId)
  if (!button) return fail('ERR_VALIDATION', { buttonId: 'Esta mensagem não tem esse botão.' })
  const digits = createHash('sha256').update(`${messageId}/${buttonId}`).digest('hex')
  const id = `${digits.slice(0, 8)}-${digits.slice(8, 12)}-8${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20, 32)}`
  const sent = await sendFromPhone(ctx, phoneId, {
    ...{ id, body: button.text, quotedId: messageId, isVoice: false, isForwarded: false },
    press: { buttonId },
    groupId,
  })
  return sent.message
}
