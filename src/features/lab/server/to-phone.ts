import { z } from 'zod'
import { whyNoAutomatic } from '#domain/messages/mail.ts'
import { receive } from '#features/ledger/server/ingest/index.ts'
import { required } from '#kit/errors.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import {
  type ChannelAction,
  type LocalEnd,
  type Outbound,
  type ProviderEvent,
  type ProviderFault,
  sendFailure,
} from '#providers/channels/port.ts'
import { type Ctx, unit } from '#server/context.ts'
import type { SlowCtx } from '#server/http/route.ts'
import { job } from '#server/job.ts'
import type { Platform } from '#server/platform.ts'
import { labEvents } from '../contract.ts'
import { TEMPLATES } from './at-provider.ts'
import { bookOf } from './book.ts'
import { isConnectionDown, readFaults } from './faults.ts'
import { groupToolsOf } from './group-tools.ts'
import { historyOf } from './history.ts'
import { isMailbox, mailTo } from './mail.ts'
import { armedFault } from './of-provider.ts'
import { orderWorld } from './orders.ts'
import { labAudience, phoneOr404, shownMessage } from './phones.ts'
import { disarm, enqueueReports } from './provider-faults.ts'
import {
  changeOnPhone,
  findMessage,
  findPhone,
  findPhoneOf,
  insertMessage,
  type LabChange,
  lockPhone,
  moveMessages,
  saveFaults,
  teamMessages,
} from './queries.ts'
import type { LabMessageRow, PhoneRow } from './rows.ts'
import { answerByItself } from './vacation.ts'

/** Delay of a phone's receipts, in ms. */
const RECEIPT_MS = 400
/** Delay of a provider's later report, in ms. */
const REPORT_MS = 1500

type Action<T extends ChannelAction['type']> = Extract<ChannelAction, { type: T }>

/** Returns the local end of the phones, for the channel's adapter. */
export const phonesEnd = (platform: Platform): LocalEnd => ({
  deliver: (message) => deliver(platform, message),
  async act(action) {
    if (action.type === 'presence') await showTyping(platform, action)
    if (action.type === 'read') await markRead(platform, action)
    if ('providerId' in action) await actOnPhone(platform, action)
  },
  async reaches({ tenantId, connectionId, number }) {
    const phone = await platform.db.read(tenantId, (db) => findPhoneOf(db, connectionId, number))
    return phone ? { identity: phone.number } : null
  },
  answers: { ...historyOf(platform), ...bookOf(platform), ...groupToolsOf(platform), templates: async () => TEMPLATES },
})

async function showTyping(platform: Platform, { tenantId, state, ...to }: Action<'presence'>): Promise<void> {
  const phone = await platform.db.read(tenantId, (db) => findPhoneOf(db, to.connectionId, to.conversationKey))
  if (!phone || isConnectionDown(readFaults(phone.faults), platform.now().getTime())) return
  const { channel, type } = labEvents.typing
  platform.bus.publish(tenantId, { channel, type, payload: { phoneId: phone.id, state }, audience: labAudience })
}

const markRead = (platform: Platform, { tenantId, connectionId, conversationKey }: Action<'read'>) =>
  unit(platform, { tenantId, user: null }, async (ctx) => {
    const phone = await findPhoneOf(ctx.db, connectionId, conversationKey)
    if (!phone) return
    const ids = await moveMessages(ctx.db, phone.id, { from: ['delivered'], to: 'read', fromPhone: true })
    if (ids.length > 0) ctx.emit(labEvents.status, { phoneId: phone.id, ids, status: 'read' }, labAudience)
  })

type MessageAction = Extract<ChannelAction, { providerId: string }>

const changes: { readonly [T in MessageAction['type']]: (action: Action<T>) => LabChange } = {
  edit: ({ body, mentions }) => ({ body, is_edited: true, mentions: mentions && JSON.stringify(mentions) }),
  revoke: () => ({ is_deleted: true }),
  react: ({ emoji }) => ({ team_reaction: emoji }),
}

// Acts on messages that are no longer on the phone have no effect.
const actOnPhone = (platform: Platform, action: MessageAction) =>
  unit(platform, { tenantId: action.tenantId, user: null }, async (ctx) => {
    const known = await findPhoneOf(ctx.db, action.connectionId, action.conversationKey)
    const phone = known && (await lockPhone(ctx.db, known.id))
    if (!phone) throw sendFailure('refused', 'ERR_WAPP_INVALID_CONTACT')
    if (isConnectionDown(readFaults(phone.faults), ctx.now.getTime()))
      throw sendFailure('unreachable', 'ERR_WAPP_NOT_INITIALIZED')
    const change = changes[action.type](action as never)
    if (await changeOnPhone(ctx.db, phone.id, action.providerId, change))
      await publishMessage(ctx, phone.id, action.providerId)
  })

/** Publishes the present state of a message on its phone. */
export async function publishMessage(ctx: Ctx, phoneId: number, id: string): Promise<LabMessageRow> {
  const row = required(await findMessage(ctx.db, phoneId, id), 'ERR_NOT_FOUND')
  ctx.emit(labEvents.message, shownMessage(ctx.platform, ctx.tenantId, row), labAudience)
  return row
}

/**
 * Stores a message of the team on the phone, once. The receipt follows as a job; a repeated delivery means that its sender
 * lost the response, so the phone gives its receipt again.
 */
async function deliver(platform: Platform, message: Outbound): ReturnType<LocalEnd['deliver']> {
  const { tenantId, connectionId } = message
  const { delivery, first = [] } = await unit(platform, { tenantId, user: null }, (ctx) => deliverOnce(ctx, message))
  if (first.length > 0) await receive(platform, { tenantId, connectionId }, first)
  return delivery
}

/** Result of a delivery, and events that the provider reports before the sender gets the response. */
type Delivered = { delivery: Awaited<ReturnType<LocalEnd['deliver']>>; first?: readonly ProviderEvent[] }

async function deliverOnce(ctx: Ctx, message: Outbound): Promise<Delivered> {
  const known = await findPhoneOf(ctx.db, message.connectionId, message.conversationKey)
  const phone = known && (await lockPhone(ctx.db, known.id))
  if (!phone) return { delivery: await deliverMail(ctx, message) }
  const { id: phoneId } = phone
  const faults = readFaults(phone.faults)
  if (isConnectionDown(faults, ctx.now.getTime())) {
    ctx.emit(labEvents.fault, { phoneId, what: 'line-down', seconds: null }, labAudience)
    return { delivery: 'unreachable' }
  }
  if (phone.is_group && phone.only_admins_write && !phone.is_own_admin)
    return { delivery: sendFailure('refused', 'Só administradores escrevem neste grupo.') }
  const fault = armedFault(ctx.platform, phone)
  const isUsed = fault !== undefined && fault.arrives === undefined
  const delivery = fault?.fails?.() ?? 'delivered'
  if (isUsed) await disarm(ctx, phone)
  if (isUsed && !fault.reports) return { delivery }
  const isNew =
    !fault?.isLost &&
    (await insertMessage(ctx.db, {
      id: message.messageId,
      phoneId,
      fromPhone: false,
      mediaType: message.type,
      body: message.body,
      fileId: message.file?.id ?? null,
      quotedId: message.quotedProviderId,
      data: message.data,
      mentions: message.mentions,
      isForwarded: message.isForwarded,
      status: 'received',
      timestamp: new Date(message.timestamp),
    }))
  if (isNew) await publishMessage(ctx, phoneId, message.messageId)
  if (isUsed) return { delivery, first: report(ctx, { phone, fault }, message) }
  const lateSeconds = isNew ? faults.lateReceiptSeconds : 0
  const isReordered = isNew && faults.reorderedReceipts
  if (lateSeconds > 0 || isReordered) {
    const reordered = isReordered ? { reorderedReceipts: false } : {}
    await saveFaults(ctx.db, phoneId, { ...faults, lateReceiptSeconds: 0, ...reordered })
    ctx.emit(labEvents.changed, { phoneId }, labAudience)
  }
  if (lateSeconds > 0) ctx.emit(labEvents.fault, { phoneId, what: 'receipt-held', seconds: lateSeconds }, labAudience)
  const runAt = new Date(ctx.now.getTime() + (lateSeconds * 1000 || RECEIPT_MS))
  ctx.enqueue(receiptJob, { phoneId, messageId: message.messageId, turn: ctx.newId(), isReordered }, { runAt })
  return { delivery }
}

// A report given before the result is repeated by a job, in case this process dies.
function report(
  ctx: Ctx,
  { phone, fault }: { phone: PhoneRow; fault: ProviderFault },
  { messageId, conversationKey, body }: Outbound,
): readonly ProviderEvent[] {
  const events = fault.reports?.({ messageId, conversationKey, body, to: phone.number, now: ctx.now }) ?? []
  enqueueReports(ctx, phone, [{ afterMs: REPORT_MS, events }])
  return fault.isReportedFirst ? events : []
}

// A mail conversation has no number: the mail goes to its recipients.
async function deliverMail(ctx: Ctx, message: Outbound): ReturnType<LocalEnd['deliver']> {
  const { mailboxes, data, answered } = await mailTo(ctx, message)
  const why = message.isAutomatic ? whyNoAutomatic(answered) : null
  if (why) return sendFailure('refused', why)
  if (mailboxes.length === 0) return 'unknown-number'
  const isDown = ({ faults }: PhoneRow) => isConnectionDown(readFaults(faults), ctx.now.getTime())
  if (mailboxes.some(isDown)) return 'unreachable'
  const armed = mailboxes.map((mailbox) => ({ mailbox, fault: armedFault(ctx.platform, mailbox) }))
  for (const { mailbox, fault } of armed) {
    const failure = fault?.fails?.()
    if (!failure) continue
    await disarm(ctx, mailbox)
    return failure
  }
  for (const [index, { mailbox, fault }] of armed.entries()) {
    const { id: phoneId, faults } = mailbox
    if (fault?.reports) {
      await disarm(ctx, mailbox)
      report(ctx, { phone: mailbox, fault }, message)
    }
    if (fault?.isLost) continue
    // With its own id it is found in the attendance.
    const id = index === 0 ? message.messageId : ctx.newId()
    const isNew = await insertMessage(ctx.db, {
      ...{ id, providerId: message.messageId, phoneId, fromPhone: false, mediaType: message.type, body: message.body },
      ...{ fileId: message.file?.id ?? null, quotedId: null, data, isForwarded: false, status: 'delivered' },
      timestamp: new Date(message.timestamp),
    })
    if (!isNew) continue
    await publishMessage(ctx, phoneId, id)
    if (readFaults(faults).vacation) await answerByItself(ctx, mailbox, id)
  }
  return 'delivered'
}

const below = {
  delivered: ['received'],
  read: ['received', 'delivered'],
  played: ['received', 'delivered', 'read'],
} as const
type Receipt = keyof typeof below

/** Gives receipts for messages of the team and records them on the phone; `turn` distinguishes a receipt from its repetition. */
export async function giveReceipts(
  platform: Platform,
  tenantId: number,
  phone: PhoneRow,
  { ids, status, turn }: { ids: readonly string[]; status: Receipt; turn: string },
): Promise<void> {
  if (ids.length === 0) return
  const timestamp = platform.now().getTime()
  // Some channels report no receipts, or not all.
  const known = capabilitiesOf(phone.type).receipts.includes(status) ? ids : []
  await receive(
    platform,
    { tenantId, connectionId: phone.connection_id },
    known.map((id) => ({
      type: 'receipt',
      dedupeKey: `${id}:${status}:${turn}`,
      conversationKey: phone.number,
      providerId: id,
      status,
      timestamp,
    })),
  )
  await unit(platform, { tenantId, user: null }, async (ctx) => {
    const moved = await moveMessages(ctx.db, phone.id, { from: below[status], to: status, fromPhone: false, ids })
    if (moved.length > 0) ctx.emit(labEvents.status, { phoneId: phone.id, ids: moved, status }, labAudience)
  })
}

/** Job that gives the first receipt of a message, or that of its present status. */
export const receiptJob = job({
  name: 'lab:receipt',
  schema: z.object({
    phoneId: z.number(),
    messageId: z.string(),
    turn: z.string(),
    isReordered: z.boolean().optional(),
  }),
  async run(platform, { tenantId, phoneId, messageId, turn, isReordered }) {
    const { phone, row } = await platform.db.read(tenantId, async (db) => ({
      phone: await findPhone(db, phoneId),
      row: await findMessage(db, phoneId, messageId),
    }))
    if (!phone || !row || isConnectionDown(readFaults(phone.faults), platform.now().getTime())) return
    const status = row.status === 'received' ? 'delivered' : (row.status as Receipt)
    const ids = [row.id]
    if (isReordered) await giveReceipts(platform, tenantId, phone, { ids, status: 'read', turn })
    await giveReceipts(platform, tenantId, phone, { ids, status, turn })
  },
})

/** Marks arrived messages as read, or one recording as played. */
export async function readOnPhone({ platform, tenantId }: SlowCtx, phoneId: number, played?: string): Promise<void> {
  const { phone, ids } = await platform.db.read(tenantId, async (db) => {
    const phone = await phoneOr404(db, phoneId)
    const row = played && (await findMessage(db, phoneId, played))
    const isPlayable = row && !row.from_phone && row.media_type === 'audio' && /^(delivered|read)$/.test(row.status)
    return { phone, ids: played ? (isPlayable ? [played] : []) : await teamMessages(db, phoneId, ['delivered']) }
  })
  const { connection_id: connectionId } = phone
  // Reading a mail sends no receipt.
  if (isMailbox(phone)) return
  if (phone.is_linked) {
    const as = played ? 'played' : 'read'
    if (ids.length > 0) orderWorld(platform, { tenantId, connectionId }, { act: 'confirm', phoneId, ids, as })
    return
  }
  if (isConnectionDown(readFaults(phone.faults), platform.now().getTime())) return
  await giveReceipts(platform, tenantId, phone, { ids, status: played ? 'played' : 'read', turn: 'seen' })
}
