import { lastOf } from '#domain/present.ts'
import { cursorParts, encodeCursor } from '#kit/cursor.ts'
import { fail, required } from '#kit/errors.ts'
import { type HistoryMessage, type LocalEnd, sendFailure } from '#providers/channels/port.ts'
import type { Ctx } from '#server/context.ts'
import type { Platform } from '#server/platform.ts'
import { labEvents } from '../contract.ts'
import { isConnectionDown, readFaults } from './faults.ts'
import { eventOf, shownNumber } from './from-phone.ts'
import { labAudience } from './phones.ts'
import { findPhoneOf, insertSaved, lockPhone, phonesOf, savedMessages } from './queries.ts'
import type { LabMessageRow, LabSender, PhoneRow } from './rows.ts'

const PAGE = 100

/** Returns the conversations on the phones and their messages as history, except pending ones, which the phone still sends. */
export const historyOf = (platform: Platform): Pick<NonNullable<LocalEnd['answers']>, 'chats' | 'history'> => ({
  async chats({ tenantId, connectionId, after }) {
    const start = { after: after === null ? 0 : Number(after), limit: PAGE }
    const { rows, total } = await platform.db.read(tenantId, (db) => phonesOf(db, connectionId, start))
    return { chats: rows.map(shownNumber), next: rows.length === PAGE ? String(lastOf(rows).id) : null, total }
  },
  async history({ tenantId, connectionId, conversationKey, before, limit }) {
    const from = before === null ? null : cursorParts(before, ['number', 'number'])
    const most = Math.min(limit, PAGE)
    const { phone, rows } = await platform.db.read(tenantId, async (db) => {
      const found = await findPhoneOf(db, connectionId, conversationKey)
      return { phone: found, rows: found ? await savedMessages(db, found.id, { before: from, limit: most + 1 }) : [] }
    })
    if (!phone) return { messages: [], before: null }
    if (isConnectionDown(readFaults(phone.faults), platform.now().getTime()))
      throw sendFailure('unreachable', 'ERR_WAPP_NOT_INITIALIZED')
    const page = rows.slice(0, most)
    const last = page.at(-1)
    return {
      messages: page.map((row) => historyEvent(phone, row)).reverse(),
      before: rows.length > most && last ? encodeCursor([last.timestamp.getTime(), last.seq]) : null,
    }
  },
})

const historyEvent = (phone: PhoneRow, row: LabMessageRow): HistoryMessage => ({
  ...eventOf(phone, row),
  type: 'history',
  fromMe: !row.from_phone,
  ...(row.from_phone ? {} : { status: row.status === 'received' ? 'sent' : (row.status as 'sent') }),
})

function memberOf({ members }: PhoneRow, senderId: number | undefined): LabSender {
  const member = members.find(({ id }) => id === senderId)
  if (!member) return fail('ERR_VALIDATION', { senderId: 'Escolha quem do grupo disse isto.' })
  const { id, name, number } = member
  return { id, name, number }
}

/**
 * Stores an older conversation on a phone, above its messages; idempotent by message id. A linked number's own phone shares
 * it with the next device that it links.
 */
export async function saveOnPhone(
  ctx: Ctx,
  phoneId: number,
  talk: readonly { id: string; fromPhone: boolean; body: string; timestamp: number; senderId?: number | undefined }[],
): Promise<{ saved: number }> {
  const phone = required(await lockPhone(ctx.db, phoneId), 'ERR_NOT_FOUND')
  const spoken = talk.map(({ senderId, ...message }) => ({
    ...message,
    sender: phone.is_group && message.fromPhone ? memberOf(phone, senderId) : null,
  }))
  const saved = await insertSaved(ctx.db, phoneId, spoken)
  if (saved > 0) ctx.emit(labEvents.changed, { phoneId }, labAudience)
  return { saved }
}
