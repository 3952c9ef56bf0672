import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { isRecord } from '#domain/keys.ts'
import { parseJson, readOutside } from '#kit/outside.ts'
import { flag, listOrOne, record, textOrNumber } from '#kit/outside-fields.ts'
import { isSame } from '../is-same.ts'
import type { Door, JsonValue, ProviderEvent, WebhookRequest, WebhookResult } from '../port.ts'
import { idOf, lookUp } from '../read.ts'
import { addressIn, conversationOf } from '../whatsapp-addresses.ts'
import { addressOf, eventsOfMessage, type FileField, fieldsOf, type MessageRead, sentAt } from '../whatsapp-messages.ts'
import { type FilePart, outsideId } from '../whatsapp-shapes.ts'
import { respelled } from '../whatsapp-spelling.ts'

const info = record({
  ...{ id: outsideId, chat: z.string(), sender: z.string(), senderAlt: z.string(), recipientAlt: z.string() },
  ...{ isFromMe: flag, pushName: textOrNumber, timestamp: z.string() },
})
const message = record({ info, message: z.unknown() })
const undecryptable = record({ info, isUnavailable: flag })
const receipt = record({
  ...{ messageIDs: listOrOne(outsideId), messageIds: listOrOne(outsideId), chat: z.string(), timestamp: z.string() },
})
const picture = record({ jid: z.string(), timestamp: z.string() })
const payload = record({
  ...{ type: z.string(), event: z.unknown(), state: z.string(), instanceName: z.string(), token: z.string() },
})

type Info = z.output<typeof info>

/** Events about the phone itself or its groups, after which the connection's holder queries the state. */
const STATE = new Set([
  ...['QR', 'QRTimeout', 'PairSuccess', 'PairError', 'Connected', 'Disconnected', 'ConnectFailure', 'LoggedOut'],
  ...['StreamReplaced', 'TemporaryBan', 'JoinedGroup', 'GroupInfo', 'KeepAliveTimeout', 'KeepAliveRestored'],
])

/** Text of a message until it can be decrypted. */
const UNDECRYPTED = 'Aguardando esta mensagem'

/** Parses a call of either form, and returns the bytes that may be signed: all of it, or the JSON alone. */
function payloadOf({ body, headers }: WebhookRequest): { given: unknown; signed: readonly Uint8Array[] } {
  if (!String(headers['content-type']).startsWith('application/x-www-form-urlencoded'))
    return { given: parseJson(body), signed: [body] }
  const form = new URLSearchParams(new TextDecoder().decode(body))
  const json = form.get('jsonData') ?? ''
  const about = ['instanceName', 'token'].flatMap((name) => (form.has(name) ? [[name, form.get(name)]] : []))
  const read = parseJson(json)
  return { given: isRecord(read) ? { ...read, ...Object.fromEntries(about) } : read, signed: [body, Buffer.from(json)] }
}

/** Reads a webhook call of a user of WuzAPI; not genuine if it is about another user, or wrongly signed. */
export function readCall(request: WebhookRequest, door: Door, now: Date): WebhookResult {
  const { given, signed } = payloadOf(request)
  const signature = request.headers['x-hmac-signature']
  const isSigned = (bytes: Uint8Array) =>
    isSame(String(signature).toLowerCase(), createHmac('sha256', door.secret).update(bytes).digest('hex'))
  const call = readOutside(payload, given)
  if (!call) return { isGenuine: false }
  const { type = '', instanceName, token, event, state = '' } = call.data
  // Older builds do not sign, but send the user's token, which is the same secret, in place of the name.
  const hasToken = token !== undefined && isSame(token, door.secret)
  if (signature === undefined ? door.secret !== '' && !hasToken : !signed.some(isSigned)) return { isGenuine: false }
  const isOurs = instanceName === undefined ? token === undefined || hasToken : instanceName === door.name
  // An invalid name is not ours.
  if (!isOurs || call.wrong.includes('instanceName') || call.wrong.includes('token')) return { isGenuine: false }
  if (STATE.has(type)) return { isGenuine: true, events: [], isStateNews: true }
  const read = lookUp(readers, type)
  if (!read) return { isGenuine: true, events: [], unread: [type] }
  const { events, unread: of } = read(respelled(event), { state, now })
  const unread = [...fieldsOf(call.wrong, type), ...fieldsOf(of, type)]
  return { isGenuine: true, events: events.map((one) => ({ event: one })), ...(unread.length > 0 ? { unread } : {}) }
}

type At = { readonly state: string; readonly now: Date }

const whereOf = ({ chat, sender, senderAlt, recipientAlt, isFromMe = false, pushName = '' }: Info) => ({
  ...{ chat, chatAlt: [isFromMe ? recipientAlt : senderAlt] },
  ...{ author: sender, authorAlt: [senderAlt], fromMe: isFromMe, name: pushName },
})

const timeOf = (timestamp: string | undefined, now: Date): number => sentAt(Date.parse(timestamp ?? ''), now)

/** Reads an event by its schema. */
const reader =
  <S extends z.ZodType>(schema: S, eventsOf: (event: z.output<S>, at: At) => readonly ProviderEvent[] | MessageRead) =>
  (given: unknown, at: At): MessageRead => {
    const read = readOutside(schema, given)
    if (!read) return { events: [], unread: ['event'] }
    const found = eventsOf(read.data, at)
    return 'events' in found
      ? { events: found.events, unread: [...read.wrong, ...found.unread] }
      : { events: found, unread: read.wrong }
  }

const readers: Readonly<Record<string, (event: unknown, at: At) => MessageRead>> = {
  Message: reader(message, ({ info: about = {}, message: content }, { now }) => {
    const source = { ...whereOf(about), id: about.id, timestamp: timeOf(about.timestamp, now), content }
    return eventsOfMessage(source, pointerOf)
  }),
  UndecryptableMessage: reader(undecryptable, ({ info: about = {}, isUnavailable }, { now }) => {
    const where = { ...whereOf(about), id: about.id, timestamp: timeOf(about.timestamp, now) }
    const address = addressOf(where)
    if (!address || isUnavailable) return []
    const providerId = about.id ?? idOf(about)
    const message = { providerId, timestamp: where.timestamp, type: 'undecrypted', body: UNDECRYPTED } as const
    const dedupeKey = `${providerId} undecrypted`
    return [{ type: where.fromMe ? 'echo' : 'message', dedupeKey, ...address, message }]
  }),
  ReadReceipt: reader(receipt, ({ messageIDs, messageIds = messageIDs, chat, timestamp }, { state, now }) => {
    const status = lookUp({ delivered: 'delivered', read: 'read', played: 'played' } as const, state.toLowerCase())
    const where = addressIn(chat)
    // Receipts of groups do not say how many members have given them.
    if (!status || !where || where.endsWith('@g.us')) return []
    return (messageIds ?? []).map((id) => ({
      ...({ type: 'receipt', status, dedupeKey: `${id} ${status}`, conversationKey: conversationOf(where) } as const),
      ...{ providerId: id, timestamp: timeOf(timestamp, now) },
    }))
  }),
  Picture: reader(picture, ({ jid, timestamp }, { now }) => {
    const where = addressIn(jid)
    if (!where) return []
    const conversationKey = conversationOf(where)
    const at = timeOf(timestamp, now)
    return [{ type: 'picture', dedupeKey: `${conversationKey} picture ${at}`, conversationKey, timestamp: at }]
  }),
}

const PATHS: Readonly<Record<FileField, string>> = {
  ...{ imageMessage: 'image', stickerMessage: 'image', videoMessage: 'video', ptvMessage: 'video' },
  ...{ audioMessage: 'audio', documentMessage: 'document' },
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

function pointerOf(field: FileField, part: FilePart): JsonValue {
  const { url = '', directPath = '', mimetype = '', fileLength = 0, mediaKey, fileEncSha256, fileSha256 } = part
  const json = {
    ...{ Url: url, DirectPath: directPath, MediaKey: textOf(mediaKey), Mimetype: mimetype },
    ...{ FileEncSHA256: textOf(fileEncSha256), FileSHA256: textOf(fileSha256), FileLength: fileLength },
  }
  return { path: PATHS[field], json }
}
