import { GatewayRefusal } from '../gateway-calls.ts'
import { lookUp } from '../read.ts'
import { at, bodyOf, listOf, type MakeSmsProvider, REFUSALS, type SmsNews, textOf } from './provider.ts'

const STATES = { DELIVERED: 'delivered', UNDELIVERABLE: 'failed', EXPIRED: 'failed', REJECTED: 'failed' } as const

/** Adapter of Infobip's SMS API, version 3, which uses our id as its own. */
export const infobip: MakeSmsProvider = ({ key = '' }, call) => {
  const headers = { authorization: `App ${key}` }
  return {
    async send({ to, text, id, from }, door) {
      const webhooks = door ? { webhooks: { delivery: { url: door } } } : {}
      const destinations = [{ to, messageId: id }]
      const json = { messages: [{ ...(from ? { sender: from } : {}), destinations, content: { text }, ...webhooks }] }
      const answer = await call<object>('/sms/3/messages', { method: 'POST', json, headers })
      const [message] = listOf(at(answer, 'messages'))
      // 200 with a refusal inside.
      const group = textOf(at(message, 'status.groupName'))
      if (lookUp(STATES, group)) throw new GatewayRefusal(400, message)
      return textOf(at(message, 'messageId')) || id
    },
    check: () => call('/account/1/balance', { headers }),
    read(request) {
      return listOf(bodyOf(request)['results']).flatMap((one): SmsNews[] => {
        const id = textOf(at(one, 'messageId'))
        const group = textOf(at(one, 'status.groupName'))
        // Messages of contacts come in the same envelope.
        const text = textOf(at(one, 'text') ?? at(one, 'cleanText'))
        if (!group) return text ? [{ is: 'said', id, from: textOf(at(one, 'from') ?? at(one, 'sender')), text }] : []
        const state = lookUp(STATES, group)
        if (!state) return []
        const providerText = textOf(at(one, 'error.description') ?? at(one, 'status.description'))
        const failed =
          state === 'failed' ? { error: REFUSALS.undelivered, ...(providerText ? { providerText } : {}) } : {}
        return [{ is: state, id, messageId: id, to: textOf(at(one, 'to')), ...failed }]
      })
    },
  }
}
