import { createHmac } from 'node:crypto'
import type { proto } from 'baileys'
import { isSame } from '../is-same.ts'
import type { Door, JsonValue, ProviderEvent, WebhookRequest, WebhookResult } from '../port.ts'
import { momentOr } from '../read.ts'
import { conversationOf, numbered } from '../whatsapp-addresses.ts'
import { addressOf, eventsOfMessage, type FileField, fileIn, unwrapped } from '../whatsapp-messages.ts'
import { respelled } from '../whatsapp-spelling.ts'

type Info = {
  readonly id: string
  readonly chat: string
  readonly sender: string
  readonly senderAlt?: string
  readonly recipientAlt?: string
  readonly isFromMe?: boolean
  readonly isGroup?: boolean
  readonly pushName?: string
  readonly timestamp: string
}
type Payload = {
  readonly type?: string
  readonly event?: unknown
  readonly state?: string
  readonly instanceName?: string
  readonly token?: string
}

/** By what a file is fetched: the path that does it, with what it takes. */
export type MediaPointer = { readonly path: string; readonly json: JsonValue }

/** What it says of the phone itself, or of its groups: whoever has the connection asks how they stand. */
const STATE = new Set([
  ...['QR', 'QRTimeout', 'PairSuccess', 'PairError', 'Connected', 'Disconnected', 'ConnectFailure', 'LoggedOut'],
  ...['StreamReplaced', 'TemporaryBan', 'JoinedGroup', 'GroupInfo', 'KeepAliveTimeout', 'KeepAliveRestored'],
])

/** Until it can be read. */
const UNDECRYPTED = 'Aguardando esta mensagem'

/** What a call says, in whichever of its two forms; what is signed in it is the whole of it, or the JSON alone. */
function payloadOf({ body, headers }: WebhookRequest): { payload: Payload; signed: readonly Uint8Array[] } {
  if (!String(headers['content-type']).startsWith('application/x-www-form-urlencoded'))
    return { payload: JSON.parse(new TextDecoder().decode(body)) as Payload, signed: [body] }
  const form = new URLSearchParams(new TextDecoder().decode(body))
  const json = form.get('jsonData') ?? ''
  const about = ['instanceName', 'token'].flatMap((name) => (form.has(name) ? [[name, form.get(name)]] : []))
  const whole = { ...(JSON.parse(json) as Payload), ...(Object.fromEntries(about) as Partial<Payload>) }
  return { payload: whole, signed: [body, Buffer.from(json)] }
}

/** Reads a call of a WuzAPI about one of its users; of another one, or with a wrong signature, it is not for us. */
export function readCall(request: WebhookRequest, door: Door, now: Date): WebhookResult {
  const { payload: call, signed } = payloadOf(request)
  const signature = request.headers['x-hmac-signature']
  const isSigned = (bytes: Uint8Array) =>
    isSame(String(signature).toLowerCase(), createHmac('sha256', door.secret).update(bytes).digest('hex'))
  if (signature !== undefined && !signed.some(isSigned)) return { isGenuine: false }
  // Older builds say the user's token in place of the name.
  const isOurs =
    call.instanceName === undefined ? isSame(call.token ?? door.secret, door.secret) : call.instanceName === door.name
  if (!isOurs) return { isGenuine: false }
  const type = call.type ?? ''
  if (STATE.has(type)) return { isGenuine: true, events: [], isStateNews: true }
  const read = readers[type]
  if (!read) return { isGenuine: true, events: [], unread: [type] }
  const events = read(respelled(call.event) as never, { state: call.state ?? '', now })
  return { isGenuine: true, events: events.map((event) => ({ event })) }
}

type At = { readonly state: string; readonly now: Date }

const whereOf = ({ chat, sender, senderAlt, recipientAlt, isFromMe = false, pushName = '' }: Info) => ({
  ...{ chat: plain(chat), chatAlt: plain(isFromMe ? recipientAlt : senderAlt) },
  ...{ author: plain(sender), authorAlt: plain(senderAlt), fromMe: isFromMe, name: pushName },
})

const timeOf = ({ timestamp }: { readonly timestamp: string }, now: Date): number =>
  momentOr(Date.parse(timestamp), now.getTime())

// A number with the device that wrote is that number.
const plain = <T extends string | undefined>(jid: T): T => jid?.replace(/:\d+(?=@)/, '') as T

const readers: Readonly<Record<string, (event: never, at: At) => ProviderEvent[]>> = {
  Message({ info, message }: { info: Info; message: proto.IMessage }, { now }) {
    const source = { ...whereOf(info), id: info.id, timestamp: timeOf(info, now), content: message }
    return eventsOfMessage(source, (field) => pointerOf(field, message))
  },
  UndecryptableMessage({ info, isUnavailable }: { info: Info; isUnavailable?: boolean }, { now }) {
    const where = { ...whereOf(info), id: info.id, timestamp: timeOf(info, now) }
    const address = addressOf(where)
    if (!address || isUnavailable) return []
    const message = { providerId: info.id, timestamp: where.timestamp, type: 'undecrypted', body: UNDECRYPTED } as const
    const dedupeKey = `${info.id} undecrypted`
    return [{ type: where.fromMe ? 'echo' : 'message', dedupeKey, ...address, message }]
  },
  ReadReceipt({ messageIDs, messageIds = messageIDs, chat, ...about }: Receipt, { state, now }) {
    const status = ({ delivered: 'delivered', read: 'read', played: 'played' } as const)[state.toLowerCase()]
    // Of a group nobody says how many have it by now.
    if (!status || chat.endsWith('@g.us')) return []
    return (messageIds ?? []).map((id) => ({
      ...({ type: 'receipt', status, dedupeKey: `${id} ${status}`, conversationKey: conversationOf(chat) } as const),
      ...{ providerId: id, timestamp: timeOf(about, now) },
    }))
  },
  Picture({ jid, ...about }: { jid: string; timestamp: string }, { now }) {
    const conversationKey = conversationOf(numbered(jid, null))
    const at = timeOf(about, now)
    return [{ type: 'picture', dedupeKey: `${conversationKey} picture ${at}`, conversationKey, timestamp: at }]
  },
}

type Receipt = {
  readonly messageIDs?: readonly string[]
  readonly messageIds?: readonly string[]
  readonly chat: string
  readonly timestamp: string
}

const PATHS: Readonly<Record<FileField, string>> = {
  ...{ imageMessage: 'image', stickerMessage: 'image', videoMessage: 'video', ptvMessage: 'video' },
  ...{ audioMessage: 'audio', documentMessage: 'document' },
}

function pointerOf(field: FileField, message: proto.IMessage): JsonValue {
  const part = (fileIn(unwrapped(message))?.part ?? {}) as Readonly<Record<string, JsonValue>>
  const { url = '', directPath = '', mediaKey = '', mimetype = '', fileEncSha256 = '', fileSha256 = '' } = part
  const json = {
    Url: url,
    DirectPath: directPath,
    MediaKey: mediaKey,
    Mimetype: mimetype,
    FileEncSHA256: fileEncSha256,
  }
  const pointer = {
    path: PATHS[field],
    json: { ...json, FileSHA256: fileSha256, FileLength: Number(part['fileLength'] ?? 0) },
  }
  return pointer as JsonValue
}
