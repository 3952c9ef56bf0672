import { createHmac, timingSafeEqual } from 'node:crypto'
import { type MakeChannelAdapter, sendFailure, type WebhookRequest } from '#providers/channels/port.ts'

type Call = { events: { loft?: string; id: string; from: string; text: string; at: number }[] }

/** The signature of a call: HMAC-SHA256 with the token over its bytes, in hexadecimal. */
export const signatureOf = (token: string, body: Uint8Array | string): string =>
  createHmac('sha256', token).update(body).digest('hex')

/** Speaks to the gateway: bearer token outwards, signed JSON inwards, an echoed challenge as handshake. */
export const sampleAdapter: MakeChannelAdapter = (values, { fetch }) => {
  const token = String(values['token'])
  const call = (path: string, body: object) =>
    fetch(`${values['address']}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  return {
    async send({ messageId, conversationKey, body }) {
      const { status } = await call('/send', { id: messageId, to: conversationKey, text: body }).catch(() => {
        throw sendFailure('unreachable', 'o pombal não respondeu')
      })
      if (status !== 200) throw sendFailure('refused', 'o pombal recusou')
      return { providerId: `pombo-${messageId}` }
    },
    receive({ method, query, headers, body }: WebhookRequest) {
      if (method === 'GET') {
        if (query['token'] !== token) return { isGenuine: false }
        return { isGenuine: true, events: [], answer: { contentType: 'text/plain', body: query['challenge'] ?? '' } }
      }
      const given = Buffer.from(String(headers['x-signature']))
      const right = Buffer.from(signatureOf(token, body))
      if (given.length !== right.length || !timingSafeEqual(given, right)) return { isGenuine: false }
      const { events } = JSON.parse(new TextDecoder().decode(body)) as Call
      return {
        isGenuine: true,
        events: events.map(({ loft, id, from, text, at }) => ({
          ...(loft === undefined ? {} : { account: loft }),
          event: {
            type: 'message',
            dedupeKey: id,
            conversationKey: from,
            sender: { identity: from, name: `Pombo ${from}`, number: from },
            message: { providerId: id, timestamp: at, type: 'text', body: text },
          },
        })),
      }
    },
    async test() {
      const { status } = await call('/hello', {})
      return status === 200 ? { ok: true } : { ok: false, problem: 'O pombal não conhece este token.' }
    },
  }
}
