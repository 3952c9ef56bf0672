import type { z } from 'zod'
import { offsetMinutes } from '#domain/calendar/local-time.ts'
import { mentionedNames } from '#domain/messages/group-mentions.ts'
import { MAIL_ADDRESS } from '#domain/messages/mail.ts'
import { firstOf } from '#domain/present.ts'
import { protocolOf } from '#domain/tickets/protocol.ts'
import { makeConnection, readFromProvider } from '#features/connections/server/index.ts'
import type { Audience } from '#kit/audience.ts'
import type { Returned } from '#kit/contract.ts'
import { cursorParts, encodeCursor } from '#kit/cursor.ts'
import { fail, required } from '#kit/errors.ts'
import { channelType } from '#providers/channels/configs.ts'
import type { Ctx, ReadCtx } from '#server/context.ts'
import { fileUrl } from '#server/files/store.ts'
import { readPhone } from '#server/phone.ts'
import type { Platform } from '#server/platform.ts'
import { type LabMessage, type LabPhone, type LabStatus, type lab, labEvents } from '../contract.ts'
import type { phoneForm } from '../forms.ts'
import { isConnectionDown, readFaults, shownFaults } from './faults.ts'
import { COMPANY_ADDRESS, isMailbox } from './mail.ts'
import { faultsOfProvider } from './of-provider.ts'
import { WORLD } from './orders.ts'
import { channelId } from './phone-messages.ts'
import {
  clearPhone,
  deletePhone,
  findMessage,
  findPhone,
  insertPhone,
  isOnPhone,
  lastMessages,
  listPhones,
  lockLabConnection,
  pageOfPhone,
  traceMessage,
} from './queries.ts'
import type { LabMessageRow, PhoneRow } from './rows.ts'

const PAGE = 60
/** Maximum number of phones. */
const MOST_PHONES = 50

const OWN = 'lab'
/** Id of the channel whose provider is replaced by a local WhatsApp. */
export const LINKED = 'baileys'
/** Channels that exist only with virtual phones; on others the phones replace the provider. */
const OWN_TYPES = new Set([OWN, 'lab-device'])

// The connection of a channel's phones is created with the first one; a channel with a screen has its far end.
async function connectionFor(ctx: Ctx, type: string): Promise<number> {
  const known = channelType(type)
  const made = { type, queueId: null, status: 'CONNECTED' } as const
  if (type === OWN) return makeConnection(ctx, { ...made, name: 'Ligado por QR Code', config: {} })
  if (OWN_TYPES.has(type))
    return fail('ERR_VALIDATION', { type: 'Crie este canal em Canais e ligue o aparelho antes.' })
  if (type === LINKED)
    return makeConnection(ctx, {
      ...{ ...made, status: 'OPENING', name: 'WhatsApp (laboratório)' },
      config: { server: WORLD },
    })
  if (!known || known.config.screen) return fail('ERR_VALIDATION', { type: 'Este canal não tem telefones virtuais.' })
  const { threads } = known.config.capabilities
  const config = { standIn: OWN, ...(threads ? { from: COMPANY_ADDRESS } : {}) }
  const id = await makeConnection(ctx, { ...made, name: `${known.name} (laboratório)`, config })
  readFromProvider(ctx, id, known.config)
  return id
}

/** Audience of phone events. */
export const labAudience: Audience = { kind: 'permission', permission: 'lab:use' }

/** Converts a row into a message as the phone's screen shows it. */
export const shownMessage = (platform: Platform, tenantId: number, row: LabMessageRow): LabMessage => ({
  id: row.id,
  phoneId: row.phone_id,
  fromPhone: row.from_phone,
  mediaType: row.media_type,
  body: row.is_deleted ? '' : row.body,
  file:
    row.file_id && !row.is_deleted
      ? {
          id: row.file_id,
          url: fileUrl(platform, tenantId, row.file_id, row.file_name!),
          name: row.file_name!,
          mime: row.file_mime!,
          size: row.file_size!,
          width: row.file_width,
          height: row.file_height,
          durationMs: row.file_duration_ms,
          waveform: row.file_waveform,
        }
      : null,
  quotedId: row.quoted_id,
  data: row.is_deleted ? null : row.data,
  isForwarded: row.is_forwarded,
  edited: row.is_edited,
  isDeleted: row.is_deleted,
  reactions: [
    ...(row.reaction ? [{ emoji: row.reaction, fromPhone: true }] : []),
    ...(row.team_reaction ? [{ emoji: row.team_reaction, fromPhone: false }] : []),
  ],
  status: row.status as LabStatus,
  timestamp: row.timestamp.getTime(),
  sender: row.sender && { phoneId: row.sender.id, name: row.sender.name },
  mentions: row.mentions && { people: mentionedNames(row.mentions), everyone: row.mentions.everyone },
})

/** Converts a row into a phone as its screen shows it. */
export function shownPhone(ctx: ReadCtx | Ctx, row: PhoneRow, last?: LabMessageRow): LabPhone {
  const faults = readFaults(row.faults)
  const now = ctx.now.getTime()
  return {
    id: row.id,
    connectionId: row.connection_id,
    type: row.type,
    name: row.name,
    number: row.number,
    isGroup: row.is_group,
    isLinked: row.is_linked,
    members: row.members.map(({ id, ...member }) => ({ phoneId: id, ...member })),
    ...{ description: row.description, onlyAdminsWrite: row.only_admins_write, isOwnAdmin: row.is_own_admin },
    faults: shownFaults(faults, now),
    ofProvider: (row.is_linked ? [] : faultsOfProvider(ctx.platform, row.type)).map(({ id, label, effect }) => ({
      ...{ id, label, effect },
    })),
    disconnectedUntil: isConnectionDown(faults, now) ? faults.disconnectedUntil : null,
    lastMessage: last ? shownMessage(ctx.platform, ctx.tenantId, last) : null,
  }
}

/** Returns one phone; 404 if there is none. */
export const phoneOr404 = async (db: ReadCtx['db'], id: number): Promise<PhoneRow> =>
  required(await findPhone(db, id), 'ERR_NOT_FOUND')

/** Returns the tenant's phones. */
export async function readLab(ctx: ReadCtx): Promise<Returned<typeof lab.list>> {
  const rows = await listPhones(ctx.db)
  const last = await lastMessages(ctx.db)
  const phones = rows.map((row) => shownPhone(ctx, row, last.get(row.id)))
  return { company: ctx.settings.tenantName, phones, most: MOST_PHONES }
}

/** Returns the address of a phone on its channel: international digits, or the address of a mailbox. */
async function addressOf(type: string, given: string): Promise<string> {
  if (isMailbox({ type }))
    return MAIL_ADDRESS.test(given)
      ? given.toLowerCase()
      : fail('ERR_VALIDATION', { number: 'Informe um e-mail válido.' })
  const parsed = await readPhone(given)
  if (parsed?.country !== 'BR') return fail('ERR_VALIDATION', { number: 'Informe um número brasileiro com DDD.' })
  return parsed.e164.slice(1)
}

/** Adds a phone, or a mailbox on a mail channel. */
export async function addPhone(ctx: Ctx, form: z.output<typeof phoneForm>): Promise<LabPhone> {
  const { type = OWN } = form
  const number = await addressOf(type, form.number)
  const connectionId =
    (await lockLabConnection(ctx.db, { type, isOwn: OWN_TYPES.has(type) })) ?? (await connectionFor(ctx, type))
  await requireRoom(ctx)
  const id = await insertPhone(ctx.db, { connectionId, name: form.name, number })
  // Notifies the holder of the connection of the new phone, or that a connection is to be opened.
  ctx.stale(`connection ${ctx.tenantId}:${connectionId}`)
  ctx.emit(labEvents.changed, { phoneId: id }, labAudience)
  return shownPhone(ctx, required(await findPhone(ctx.db, id), 'ERR_NOT_FOUND'))
}

/** Fails if the laboratory is full. */
export async function requireRoom({ db }: Pick<Ctx, 'db'>): Promise<void> {
  if ((await listPhones(db)).length >= MOST_PHONES)
    fail('ERR_VALIDATION', { name: `O laboratório comporta ${MOST_PHONES} telefones. Exclua um antes.` })
}

/** Removes a phone with its messages; the attendance keeps its own. */
export async function removePhone(ctx: Ctx, id: number): Promise<void> {
  if (!(await deletePhone(ctx.db, id))) fail('ERR_NOT_FOUND')
  ctx.emit(labEvents.changed, { phoneId: id }, labAudience)
}

/** Deletes the messages on a phone, except pending ones, which are still to arrive. */
export async function emptyPhone(ctx: Ctx, id: number): Promise<void> {
  await phoneOr404(ctx.db, id)
  await clearPhone(ctx.db, id)
  ctx.emit(labEvents.changed, { phoneId: id }, labAudience)
}

/** Returns a page of a phone's messages: newest page first, each page in order of arrival. */
export async function readMessages(ctx: ReadCtx, id: number, cursor: string | undefined) {
  await phoneOr404(ctx.db, id)
  const before = cursor ? cursorParts(cursor, ['number'])[0] : null
  const rows = await pageOfPhone(ctx.db, id, { before, limit: PAGE + 1 })
  const page = rows.slice(0, PAGE).reverse()
  const hasMore = rows.length > PAGE
  return {
    messages: page.map((row) => shownMessage(ctx.platform, ctx.tenantId, row)),
    count: page.length,
    countIsCapped: hasMore,
    hasMore,
    nextCursor: hasMore ? encodeCursor([firstOf(page).seq]) : null,
  }
}

async function nameOf({ db }: ReadCtx, phoneId: number, messageId: string): Promise<string> {
  const row = await findMessage(db, phoneId, messageId)
  return row?.from_phone ? channelId(row.id) : (row?.provider_id ?? '')
}

/** Returns the trail of a phone's message in the product. */
export async function readTrail(ctx: ReadCtx, id: number, messageId: string) {
  const phone = await phoneOr404(ctx.db, id)
  if (!(await isOnPhone(ctx.db, id, messageId))) fail('ERR_NOT_FOUND')
  const { found, journal, trail } = await traceMessage(
    ctx.db,
    phone.connection_id,
    phone.is_linked ? await nameOf(ctx, id, messageId) : messageId,
  )
  const [first] = found
  const steps = [
    ...(journal ? [{ step: 'journaled', at: journal.received_at }] : []),
    ...(journal?.processed_at && !journal.set_aside_at ? [{ step: 'processed', at: journal.processed_at }] : []),
    ...trail,
  ]
  if (!first) return { message: null, steps }
  const openedAt = first.opened_at.getTime()
  return {
    message: {
      id: first.id,
      ticketId: first.ticket_id,
      protocol: protocolOf(first.ticket_id, openedAt, offsetMinutes(ctx.settings.timezone, openedAt)),
      queue: first.queue,
      isLate: first.is_late,
      copies: found.length,
    },
    steps,
  }
}
