import { findConnection, isCodeShown } from '#features/connections/server/index.ts'
import { type Formatted, registerFormat, registerOccurrences } from '#features/webhook-endpoints/server/index.ts'
import { apiKeyEvents } from '../contract.ts'
import { externalKeyOf, prefixOf } from './message-key.ts'
import { lastSentTo, messageKeysOf } from './queries.ts'

type Message = {
  id: string
  ticketId: number
  body: string
  fromMe: boolean
  isNote: boolean
  timestamp: number
  ack: number
}
type Channel = { id: number; name: string; number: string | null; status: string; updatedAt: number }

/** Format of the callbacks of product facts 13.2: status of a key's messages, and customers' replies to them. */
registerFormat('hookMessage', async (ctx, source, happened) => {
  const acks = happened.filter(({ type }) => type === 'message.status')
  const replies = happened.filter(({ type, data }) => {
    const { fromMe, isNote } = data as Message
    return type === 'message.created' && !fromMe && !isNote
  })
  const ids = acks.map(({ data }) => (data as Message).id)
  const idFronts = await messageKeysOf(ctx.db, ids)
  // A reply may open a new ticket.
  const contacts = [...new Set(replies.flatMap(({ contactId }) => contactId ?? []))]
  const last = await lastSentTo(ctx.db, prefixOf(source), contacts)
  const formatted: Formatted[] = []
  for (const one of happened) {
    const { id, ticketId, body, ack, timestamp } = one.data as Message
    if (one.type === 'message.status') {
      const externalKey = externalKeyOf(source, idFronts.get(id) ?? '')
      if (externalKey !== undefined)
        formatted.push({ of: one, body: { type: 'hookMessageStatus', ack, messageId: id, externalKey } })
    } else if (replies.includes(one)) {
      const externalKey = externalKeyOf(source, last.get(one.contactId ?? 0) ?? '')
      if (externalKey !== undefined)
        formatted.push({
          of: one,
          body: { type: 'hookMessage', timestamp, message: body, messageId: id, ticketId, externalKey },
        })
    }
  }
  return formatted
})

/** Returns the status of a key's connection, with its QR code while one is valid. */
registerFormat('hookSession', async (ctx, _source, happened) => {
  const formatted: Formatted[] = []
  for (const one of happened) {
    if (one.type !== 'channel.updated') continue
    const { id, name, number, status, updatedAt } = one.data as Channel
    const row = status === 'qrcode' ? await findConnection(ctx.db, id) : undefined
    const qrcode = (row && isCodeShown(row, ctx.now) && row.qrcode) || ''
    const body = { type: 'hookSessionStatus', name, number: number ?? '', status, qrcode, timestamp: updatedAt }
    formatted.push({ of: one, body })
  }
  return formatted
})

const TYPES = { create: 'api.created', update: 'api.updated', delete: 'api.updated', renew: 'api.renewed' } as const

registerOccurrences(apiKeyEvents.changed, ({ id, action }) => [
  { type: TYPES[action], contactId: null, data: { id, action } },
])
