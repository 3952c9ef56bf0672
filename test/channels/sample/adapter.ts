import { createHmac, timingSafeEqual } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import {
  type ChannelQuestions,
  type HistoryMessage,
  type MakeChannelAdapter,
  type ProviderEvent,
  sendFailure,
  type WebhookRequest,
} from '#providers/channels/port.ts'

type Questions = { [Q in keyof ChannelQuestions]?: (about: object) => Promise<unknown> }

/** Message in the gateway's format. */
export type GatewayMessage = { id: string; from: string; text: string; at: number }
type GatewayAct = { loft?: string; id: string; of: string; from: string; at: number } & (
  | { type: 'edit'; body: string }
  | { type: 'revoke' }
  | { type: 'react'; reaction: string }
  | { type: 'press'; buttonId: string; text: string }
)
type GatewayEvent =
  | ({ type?: 'message'; loft?: string } & GatewayMessage)
  | GatewayAct
  | { type: 'picture'; loft?: string; id: string; of: string; at: number }
  | { type: 'receipt'; loft?: string; id: string; to: string; status: 'delivered'; at: number }

/** The signature of a call: HMAC-SHA256 with the token over its bytes, in hexadecimal. */
export const signatureOf = (token: string, body: Uint8Array | string): string =>
  createHmac('sha256', token).update(body).digest('hex')

const senderOf = (from: string) => ({ identity: from, name: `Pombo ${from}`, number: from })

const actOf = (told: GatewayAct): ProviderEvent => {
  const about = { dedupeKey: told.id, conversationKey: told.from, providerId: told.of, timestamp: told.at }
  if (told.type === 'edit') return { ...about, type: 'edit', body: told.body }
  if (told.type === 'press')
    return {
      ...{ ...about, type: 'message', dedupeKey: `${told.of}:${told.buttonId}`, sender: senderOf(told.from) },
      message: {
        ...{ providerId: `${told.of}:${told.buttonId}`, timestamp: told.at, quotedProviderId: told.of },
        ...{ type: 'interactive_reply', body: told.text, data: { buttonId: told.buttonId } },
      },
    }
  return told.type === 'revoke'
    ? { ...about, type: 'revoke' }
    : { ...about, type: 'reaction', emoji: told.reaction || null }
}

const isAct = (told: GatewayEvent): told is GatewayAct =>
  told.type !== undefined && ['edit', 'revoke', 'react', 'press'].includes(told.type)

/** Converts an event of the gateway to the product's event. */
export const eventOf = (told: GatewayEvent): ProviderEvent => {
  if (isAct(told)) return actOf(told)
  if (told.type === 'picture')
    return { type: 'picture', dedupeKey: told.id, conversationKey: told.of, timestamp: told.at }
  return told.type === 'receipt'
    ? {
        type: 'receipt',
        dedupeKey: `${told.id}:${told.status}`,
        conversationKey: told.to,
        providerId: told.id,
        status: told.status,
        timestamp: told.at,
      }
    : {
        type: 'message',
        dedupeKey: told.id,
        conversationKey: told.from,
        sender: senderOf(told.from),
        message: { providerId: told.id, timestamp: told.at, type: 'text', body: told.text },
      }
}

/** Converts a stored message of the gateway to the product's history message. */
export const savedOf = ({ id, from, text, at }: GatewayMessage): HistoryMessage => ({
  ...{ type: 'history', dedupeKey: id, conversationKey: from, fromMe: false },
  sender: senderOf(from),
  message: { providerId: id, timestamp: at, type: 'text', body: text },
})

/** Speaks to the gateway: bearer token outwards, signed JSON inwards, an echoed challenge as handshake. */
export const sampleAdapter: MakeChannelAdapter = (values, { fetch, readFile, settings }) => {
  const token = String(values['token'])
  const call = (path: string, body: object) =>
    fetch(`${values['address']}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'x-key': `${settings['key']}` },
      body: JSON.stringify(body),
    })
  const answerOf = async <T>(path: string, body: object): Promise<T> =>
    JSON.parse(new TextDecoder().decode((await call(path, body)).body)) as T
  const questions: Questions = {
    number: (about) => answerOf('/check', about),
    async picture(about) {
      const { base64 } = await answerOf<{ base64: string | null }>('/picture', about)
      return base64 === null ? null : Buffer.from(base64, 'base64')
    },
    chats: (about) => answerOf('/chats', about),
    history: async (about) => {
      const page = await answerOf<{ messages: GatewayMessage[]; before: string | null }>('/history', about)
      return { ...page, messages: page.messages.map(savedOf) }
    },
    templates: (about) => answerOf('/templates', about),
  }
  return {
    async send({ messageId, conversationKey, body, file, data }) {
      const id = `pombo-${messageId}`
      const carried = file && { name: file.name, base64: (await buffer(readFile(file.path))).toString('base64') }
      const { status } = await call('/send', { id, to: conversationKey, text: body, file: carried, data }).catch(() => {
        throw sendFailure('unreachable', 'o pombal não respondeu')
      })
      if (status === 429) throw sendFailure('refused', 'o pombal não pode ter pressa', { isHaste: true })
      if (status !== 200) throw sendFailure('refused', 'o pombal recusou')
      return { providerId: id }
    },
    async act(action) {
      if (action.type === 'edit') await call('/edit', { id: action.providerId, text: action.body })
      if (action.type === 'revoke') await call('/revoke', { id: action.providerId })
      if (action.type === 'react') await call('/react', { id: action.providerId, emoji: action.emoji })
    },
    ask: (question, about) => questions[question]!(about) as never,
    receive({ method, query, headers, body }: WebhookRequest) {
      if (method === 'GET') {
        if (query['token'] !== token) return { isGenuine: false }
        return { isGenuine: true, events: [], answer: { contentType: 'text/plain', body: query['challenge'] ?? '' } }
      }
      const given = Buffer.from(String(headers['x-signature']))
      const right = Buffer.from(signatureOf(token, body))
      if (given.length !== right.length || !timingSafeEqual(given, right)) return { isGenuine: false }
      const { events } = JSON.parse(new TextDecoder().decode(body)) as { events: GatewayEvent[] }
      return {
        isGenuine: true,
        events: events.map((told) => ({
          ...(told.loft === undefined ? {} : { account: told.loft }),
          event: eventOf(told),
        })),
      }
    },
    async testSettings() {
      const { status } = await fetch(`${settings['url']}/hello`, {
        method: 'POST',
        headers: { authorization: `Bearer ${settings['key']}` },
        body: '{}',
      })
      return status === 200 ? { ok: true } : { ok: false, problem: 'O pombal não conhece esta chave.' }
    },
    async test() {
      const { status } = await call('/hello', {})
      return status === 200 ? { ok: true } : { ok: false, problem: 'O pombal não conhece este token.' }
    },
  }
}
