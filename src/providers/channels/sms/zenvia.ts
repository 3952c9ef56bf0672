import { textIn } from '../found-text.ts'
import { GatewayRefusal } from '../gateway-calls.ts'
import { sendFailure } from '../port.ts'
import { lookUp } from '../read.ts'
import { at, bodyOf, listOf, type MakeSmsProvider, REFUSALS, textOf } from './provider.ts'

const STATES = {
  SENT: 'sent',
  DELIVERED: 'delivered',
  READ: 'delivered',
  REJECTED: 'failed',
  NOT_DELIVERED: 'failed',
} as const
const EVENTS = ['MESSAGE', 'MESSAGE_STATUS']

/** Adapter of Zenvia's API, version 2. */
export const zenvia: MakeSmsProvider = ({ key = '' }, call) => {
  const headers = { 'x-api-token': key }
  const subscriptions = async () => listOf(await call<unknown>('/v2/subscriptions', { headers }))
  const missing = async (url: string) => {
    const set = (await subscriptions()).filter(
      (one) => at(one, 'status') !== 'INACTIVE' && at(one, 'webhook.url') === url,
    )
    return EVENTS.filter((event) => !set.some((one) => at(one, 'eventType') === event))
  }
  return {
    async send({ to, text, from }) {
      const json = { from, to, contents: [{ type: 'text', text }] }
      const sent = await call<unknown>('/v2/channels/sms/messages', { method: 'POST', json, headers })
      const id = textOf(at(sent, 'id'))
      if (!id) throw new GatewayRefusal(500, {})
      return id
    },
    check: subscriptions,
    callsUs: async (url) => (await missing(url)).length === 0,
    async register(url) {
      for (const eventType of await missing(url)) {
        const criteria = { channel: 'sms', ...(eventType === 'MESSAGE' ? { direction: 'IN' } : {}) }
        const json = { eventType, webhook: { url }, criteria, status: 'ACTIVE' }
        await call('/v2/subscriptions', { method: 'POST', json, headers })
      }
    },
    read(request) {
      const body = bodyOf(request)
      if (body['type'] === 'MESSAGE') {
        if (textOf(body['direction'] ?? at(body, 'message.direction')) === 'OUT') return []
        const text = listOf(at(body, 'message.contents')).map((one) => textOf(at(one, 'text')) || textIn(one))
        const sentAt = Date.parse(textOf(at(body, 'message.timestamp')))
        const part = (name: string) => textOf(at(body, `message.${name}`))
        const about = { id: part('id'), from: part('from'), to: part('to') }
        return [{ is: 'said', ...about, text: text.join('\n'), ...(Number.isNaN(sentAt) ? {} : { at: sentAt }) }]
      }
      const state = lookUp(STATES, textOf(at(body, 'messageStatus.code')))
      if (body['type'] !== 'MESSAGE_STATUS' || !state) return []
      const to = textOf(at(body, 'message.to'))
      const reasons = listOf(at(body, 'messageStatus.causes')).map((one) =>
        textOf(at(one, 'details') ?? at(one, 'reason')),
      )
      const providerText = [textOf(at(body, 'messageStatus.description')), ...reasons].filter(Boolean).join(' ')
      const failed =
        state === 'failed' ? { error: REFUSALS.undelivered, ...(providerText ? { providerText } : {}) } : {}
      return [{ is: state, id: textOf(body['messageId']), ...(to ? { to } : {}), ...failed }]
    },
    refusal: ({ status, answer }) =>
      status === 400 || status === 422
        ? sendFailure('refused', REFUSALS.refused, { providerText: textOf(at(answer, 'message')).slice(0, 500) })
        : null,
  }
}
