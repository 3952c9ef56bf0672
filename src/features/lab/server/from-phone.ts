import { z } from 'zod'
import type { ButtonPress, ContactCard, GeoLocation, MessageData } from '#domain/messages/data.ts'
import { type MessageMentions, mentionsIn, withAddresses } from '#domain/messages/group-mentions.ts'
import { type MessageType, typeOfMime } from '#domain/messages/types.ts'
import { spellingsOf } from '#domain/phone/brazil.ts'
import { present } from '#domain/present.ts'
import { receive } from '#features/ledger/server/ingest/index.ts'
import { receivePresence } from '#features/messages/server/presence/index.ts'
import { fail, required } from '#kit/errors.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import type { ProviderEvent } from '#providers/channels/port.ts'
import { unit } from '#server/context.ts'
import type { Tx } from '#server/db/db.ts'
import { storeUpload } from '#server/files/store.ts'
import type { SlowCtx } from '#server/http/route.ts'
import { job } from '#server/job.ts'
import type { Platform } from '#server/platform.ts'
import type { StoredFile } from '#server/storage.ts'
import { type LabMessage, labEvents } from '../contract.ts'
import { isConnectionDown, readFaults, type Way, wayOf } from './faults.ts'
import { finish } from './finish.ts'
import { hiddenKey, numberOf } from './hidden.ts'
import { isMailbox, mailFrom, threadOf } from './mail.ts'
import { armedFault } from './of-provider.ts'
import { orderWorld } from './orders.ts'
import { labAudience, phoneOr404, shownMessage } from './phones.ts'
import { enqueueReports } from './provider-faults.ts'
import { findMessage, findPhone, insertMessage, lockPhone, saveFaults } from './queries.ts'
import type { LabMessageRow, LabSender, PhoneRow } from './rows.ts'

/** Delay of the last delivery of a repeated event, in ms. */
const REPEAT_MS = 4000

/** Input of a message from the phone. */
export type PhoneInput = {
  id: string
  body: string
  quotedId?: string | undefined
  /** Subject of a new mail, for mailboxes. */
  subject?: string | undefined
  isVoice: boolean
  /** Whether it is forwarded from another conversation. */
  isForwarded: boolean
  durationMs?: number | undefined
  file?: StoredFile | undefined
  contact?: ContactCard | undefined
  location?: GeoLocation | undefined
  /** Pressed button. */
  press?: ButtonPress | undefined
  /** Id of the group that it is written in. */
  groupId?: number | undefined
}

/** Result of sending, before any delay. */
export type Sent = { message: LabMessage; journalMs: number | null; serverMs: number; fault: Way['fault'] }

/**
 * Sends a message from the phone: it is stored on the phone in any case, and delivered now, later, or after the following
 * one, by the armed faults. A job delivers it if this process dies first.
 */
export async function sendFromPhone(ctx: SlowCtx, writerId: number, input: PhoneInput): Promise<Sent> {
  const started = performance.now()
  const { platform, tenantId } = ctx
  if (!input.file && !dataOf(input) && input.body.trim() === '') fail('ERR_MESSAGE_EMPTY')
  const { phone, row, way } = await write(ctx, writerId, input)
  const { id: phoneId } = phone
  const answer = (status: string, journalMs: number | null, fault: Way['fault'] = null): Sent => ({
    message: shownMessage(platform, tenantId, { ...row, status }),
    journalMs,
    serverMs: since(started),
    fault,
  })
  if (phone.is_linked) orderWorld(platform, { tenantId, connectionId: phone.connection_id }, { act: 'work' })
  if (!way?.goesNow) return answer(row.status, null, way?.fault)
  const to = { tenantId, connectionId: phone.connection_id }
  const times = way.fault === 'duplicate' ? 2 : 1
  await Promise.all(Array.from({ length: times }, () => receive(platform, to, [eventOf(phone, row)])))
  const journalMs = since(started)
  await finish(platform, tenantId, phoneId, [row.id])
  if (row.file_id) await forgetExpired(ctx, phone)
  for (const id of way.releases) await release(platform, tenantId, phone, id)
  return answer('delivered', journalMs, way.fault)
}

// The fault applies to one file.
const forgetExpired = (ctx: SlowCtx, { id }: PhoneRow) =>
  unit(ctx.platform, ctx, async (tx) => {
    const phone = await lockPhone(tx.db, id)
    const faults = readFaults(phone?.faults)
    if (!phone || phone.is_linked || !faults.expiredFile) return
    await saveFaults(tx.db, id, { ...faults, expiredFile: false })
    tx.emit(labEvents.changed, { phoneId: id }, labAudience)
  })

/** Sends many messages from the phone at once; returns their ids in order. */
export async function burstFromPhone(ctx: SlowCtx, phoneId: number, count: number): Promise<string[]> {
  const { platform, tenantId } = ctx
  const { phone, rows } = await unit(platform, ctx, async (tx) => {
    const { phone } = await writerOf(tx.db, phoneId, undefined)
    const rows: LabMessageRow[] = []
    for (let n = 1; n <= count; n++) {
      const id = tx.newId()
      const message = { id, phoneId, fromPhone: true, mediaType: 'text', body: `Mensagem ${n} de ${count}` }
      const data = isMailbox(phone) ? await mailFrom(tx, phone, { id, body: message.body, answers: undefined }) : null
      const none = { fileId: null, quotedId: null, data, isForwarded: false }
      await insertMessage(tx.db, { ...message, ...none, status: 'pending', timestamp: tx.now })
      const row = required(await findMessage(tx.db, phoneId, id), 'ERR_NOT_FOUND')
      tx.emit(labEvents.message, shownMessage(platform, tenantId, row), labAudience)
      if (!phone.is_linked) tx.enqueue(bringJob, { phoneId, messageId: id }, { key: `lab:bring:${id}` })
      rows.push(row)
    }
    return { phone, rows }
  })
  if (phone.is_linked) orderWorld(platform, { tenantId, connectionId: phone.connection_id }, { act: 'work' })
  return rows.map(({ id }) => id)
}

const since = (started: number): number => Math.round((performance.now() - started) * 10) / 10

/** Converts a member of a group for mentions. */
export const asMentioned = ({ name, number }: PhoneRow['members'][number]) => ({ name, identity: number })

/** Locks and returns the phone that writes: itself, or a group that it is a member of. */
export async function writerOf(
  db: Tx,
  phoneId: number,
  groupId: number | undefined,
): Promise<{ phone: PhoneRow; sender: LabSender | null }> {
  const phone = required(await lockPhone(db, groupId ?? phoneId), 'ERR_NOT_FOUND')
  if (groupId === undefined)
    return phone.is_group
      ? fail('ERR_VALIDATION', { groupId: 'Escolha quem do grupo escreve.' })
      : { phone, sender: null }
  if (!phone.is_group) fail('ERR_NOT_FOUND')
  const member = phone.members.find(({ id }) => id === phoneId)
  if (!member) return fail('ERR_VALIDATION', { groupId: 'Este telefone não está no grupo.' })
  const { id, name, number, isAdmin } = member
  if (phone.only_admins_write && !isAdmin)
    return fail('ERR_VALIDATION', { groupId: 'Só quem administra o grupo escreve nele.' })
  return { phone, sender: { id, name, number } }
}

// A repeated request finds its message and has no further effect.
function write(ctx: SlowCtx, writerId: number, input: PhoneInput) {
  return unit(ctx.platform, ctx, async (tx): Promise<{ phone: PhoneRow; row: LabMessageRow; way: Way | null }> => {
    const { phone, sender } = await writerOf(tx.db, writerId, input.groupId)
    const { id: phoneId } = phone
    const earlier = await findMessage(tx.db, phoneId, input.id)
    if (earlier) return { phone, row: earlier, way: null }
    const now = tx.now.getTime()
    // Messages written while the connection is ended stay on the phone until its history is requested.
    const isUndelivered = phone.status === 'DISCONNECTED' && !phone.is_linked
    if (input.file && Object.keys(capabilitiesOf(phone.type).files).length === 0) fail('ERR_CHANNEL_CANNOT')
    const fault = armedFault(ctx.platform, phone)
    const free = isUndelivered || phone.is_linked ? null : wayOf(readFaults(phone.faults), input.id, now)
    const way = free?.goesNow && fault?.arrives ? byProvider(free) : free
    const isMail = isMailbox(phone)
    await insertMessage(tx.db, {
      id: input.id,
      phoneId,
      fromPhone: true,
      mediaType: typeOf(input),
      body: input.body || (input.contact?.fullName ?? input.location?.name ?? ''),
      data: isMail ? await mailFrom(tx, phone, { ...input, answers: input.quotedId }) : dataOf(input),
      sender,
      mentions: sender && mentionsIn(input.body, phone.members.map(asMentioned)),
      isForwarded: input.isForwarded,
      fileId: input.file ? await storeUpload(tx, input.file, { durationMs: input.durationMs }) : null,
      quotedId: isMail ? null : (input.quotedId ?? null),
      status: isUndelivered ? 'sent' : 'pending',
      timestamp: tx.now,
    })
    const about = { phoneId, messageId: input.id }
    if (way) {
      // Writing opens the window again.
      await saveFaults(tx.db, phoneId, { ...way.faults, windowClosed: false })
      if (way.fault !== 'provider')
        tx.enqueue(bringJob, about, { key: `lab:bring:${input.id}`, runAt: new Date(way.jobAt) })
    }
    if (way?.fault === 'duplicate')
      tx.enqueue(bringJob, { ...about, again: true }, { runAt: new Date(now + REPEAT_MS) })
    const row = required(await findMessage(tx.db, phoneId, input.id), 'ERR_NOT_FOUND')
    if (way?.fault === 'provider') enqueueReports(tx, phone, present(fault).arrives!(eventOf(phone, row)), input.id)
    tx.emit(labEvents.message, shownMessage(ctx.platform, ctx.tenantId, row), labAudience)
    const { windowClosed } = readFaults(phone.faults)
    if (windowClosed || (way?.fault && way.fault !== 'disconnected'))
      tx.emit(labEvents.changed, { phoneId }, labAudience)
    return { phone, row, way }
  })
}

// Messages held before keep their own time.
const byProvider = (way: Way): Way => ({
  ...{ ...way, fault: 'provider', goesNow: false, releases: [] },
  faults: { ...way.faults, provider: '' },
})

const dataOf = ({ contact, location, press }: PhoneInput): MessageData | null => contact ?? location ?? press ?? null

// Browsers record voices into video containers, so the person's action decides.
function typeOf({ file, isVoice, contact, location, press }: PhoneInput): MessageType {
  if (contact) return 'contact'
  if (location) return 'location'
  if (press) return 'interactive_reply'
  if (!file) return 'text'
  return isVoice ? 'audio' : typeOfMime(file.mime)
}

/** Returns the number that the product gets of the phone, by its faults. */
export function shownNumber({ number, faults, is_linked }: PhoneRow): string {
  const { hidden, otherSpelling } = readFaults(faults)
  const [, other = number] = spellingsOf(number)
  return hidden && !is_linked ? hiddenKey(number) : otherSpelling ? other : number
}

const senderOf = (phone: PhoneRow, { sender }: LabMessageRow) => {
  const { name, number: identity } = sender ?? { name: phone.name, number: shownNumber(phone) }
  const number = numberOf(identity) === identity ? identity : null
  return {
    ...(phone.is_group ? { isGroup: true, groupName: phone.name } : {}),
    sender: isMailbox(phone) ? { identity, name, number: null, email: identity } : { identity, name, number },
  }
}

/** Converts a text for the channel: addresses in place of names, with its mentions. */
export const addressed = (body: string, mentions: MessageMentions | null): { body: string; mentions?: string[] } =>
  mentions
    ? { body: withAddresses(body, mentions.people), mentions: mentions.people.map(({ identity }) => identity) }
    : { body }

// An expired file is reported, but cannot be fetched.
const fileOf = ({ faults, is_linked }: PhoneRow, { file_name, file_size }: LabMessageRow, fileId: string) =>
  readFaults(faults).expiredFile && !is_linked
    ? { remote: { name: file_name ?? '', size: file_size, pointer: {} } }
    : { fileId }

/** Converts a message of a phone into an event. */
export const eventOf = (phone: PhoneRow, row: LabMessageRow): Extract<ProviderEvent, { type: 'message' }> => ({
  type: 'message',
  dedupeKey: row.id,
  conversationKey: isMailbox(phone) ? threadOf(row) : shownNumber(phone),
  ...senderOf(phone, row),
  message: {
    providerId: row.id,
    timestamp: row.timestamp.getTime(),
    type: row.media_type,
    ...addressed(row.body, row.mentions),
    ...(row.file_id ? fileOf(phone, row, row.file_id) : {}),
    ...(row.quoted_id ? { quotedProviderId: row.quoted_id } : {}),
    ...(row.data ? { data: row.data as MessageData } : {}),
    ...(row.is_forwarded ? { isForwarded: true } : {}),
  },
})

/** Brings messages that wait on the phone to the product, one after the other in the given order. */
export async function bring(
  platform: Platform,
  tenantId: number,
  phone: PhoneRow,
  rows: readonly LabMessageRow[],
): Promise<void> {
  for (const row of rows) {
    await receive(platform, { tenantId, connectionId: phone.connection_id }, [eventOf(phone, row)])
    await finish(platform, tenantId, phone.id, [row.id])
  }
}

async function release(platform: Platform, tenantId: number, phone: PhoneRow, id: string): Promise<void> {
  const row = await platform.db.read(tenantId, (db) => findMessage(db, phone.id, id))
  if (row?.status !== 'pending') return
  await bring(platform, tenantId, phone, [row])
  publishFault(platform, tenantId, { phoneId: phone.id, what: 'released', seconds: null })
}

/** Publishes the effect of a fault to the lab's screens. */
export function publishFault(
  platform: Platform,
  tenantId: number,
  payload: { phoneId: number; what: 'repeated' | 'released' | 'line-back'; seconds: null },
): void {
  const { channel, type } = labEvents.fault
  platform.bus.publish(tenantId, { channel, type, payload, audience: labAudience })
}

/** Job that delivers one message that was held, delayed or left behind, or (`again`) repeats a delivered one. */
export const bringJob = job({
  name: 'lab:bring',
  schema: z.object({ phoneId: z.number(), messageId: z.string(), again: z.boolean().optional() }),
  async run(platform, { tenantId, phoneId, messageId, again }) {
    const found = await platform.db.read(tenantId, async (db) => ({
      phone: await findPhone(db, phoneId),
      row: await findMessage(db, phoneId, messageId),
    }))
    const { phone, row } = found
    if (!phone || !row || isConnectionDown(readFaults(phone.faults), platform.now().getTime())) return
    if (again) {
      await receive(platform, { tenantId, connectionId: phone.connection_id }, [eventOf(phone, row)])
      publishFault(platform, tenantId, { phoneId: phone.id, what: 'repeated', seconds: null })
    } else if (row.status === 'pending') await bring(platform, tenantId, phone, [row])
  },
})

/** Calls the number linked to the phone's connection. */
export async function ringFromPhone({ platform, tenantId }: SlowCtx, phoneId: number): Promise<void> {
  const phone = await platform.db.read(tenantId, (db) => phoneOr404(db, phoneId))
  if (!phone.is_linked) fail('ERR_CHANNEL_CANNOT')
  orderWorld(platform, { tenantId, connectionId: phone.connection_id }, { act: 'ring', phoneId })
}

/** Shows the team that the phone's person types or records. */
export async function typeOnPhone(
  { platform, tenantId }: SlowCtx,
  phoneId: number,
  state: 'composing' | 'recording' | 'paused',
): Promise<void> {
  const phone = await platform.db.read(tenantId, (db) => phoneOr404(db, phoneId))
  const { connection_id: connectionId } = phone
  if (phone.is_linked) return orderWorld(platform, { tenantId, connectionId }, { act: 'typing', phoneId, state })
  // Mail and SMS have no typing indicator.
  if (!capabilitiesOf(phone.type).presence || isConnectionDown(readFaults(phone.faults), platform.now().getTime()))
    return
  await receivePresence(platform, {
    tenantId,
    connectionId,
    conversationKey: shownNumber(phone),
    state,
  })
}
