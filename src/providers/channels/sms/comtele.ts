import { GatewayRefusal } from '../gateway-calls.ts'
import { at, bodyOf, listOf, type MakeSmsProvider, REFUSALS, type SmsNews, textOf, withCountry } from './provider.ts'

const DAY_MS = 86_400_000
const DELIVERED = /^(entregue|delivered|recebid[ao])/i
const FAILED = /(n[ãa]o entregue|undelivered|erro|falh|fail|rejeit|reject|inv[áa]lid|expir|cancel)/i

const first = (one: unknown, ...names: string[]): string => textOf(names.map((name) => at(one, name)).find(Boolean))

/** Parses an entry of a report or of a list of replies, in any of its known spellings. */
function newsOf(one: unknown): SmsNews[] {
  const id = first(one, 'RequestUniqueId', 'requestUniqueId', 'Id', 'id')
  const text = first(one, 'ReceivedContent', 'receivedContent', 'ReplyContent')
  if (text) {
    const when = first(one, 'ReceivedDate', 'receivedDate')
    const from = first(one, 'Receiver', 'receiver', 'Sender', 'sender', 'From')
    const replyId = first(one, 'Id', 'id') || `${from} ${when} ${text}`.slice(0, 200)
    return [{ is: 'said', id: replyId, from: withCountry(from), text }]
  }
  const state = first(one, 'Status', 'status', 'DlrStatus', 'DeliveryStatus', 'SystemMessage')
  const to = withCountry(first(one, 'Receiver', 'receiver', 'Receivers'))
  if (FAILED.test(state))
    return [{ is: 'failed', id, to, error: REFUSALS.undelivered, providerText: state.slice(0, 500) }]
  return DELIVERED.test(state) ? [{ is: 'delivered', id, to }] : []
}

/**
 * Adapter of Comtele's API, version 2: refusals have status 200 too; reports and replies are polled, or received from its
 * panel's webhook.
 */
export const comtele: MakeSmsProvider = ({ key = '' }, call) => {
  const headers = { 'auth-key': key }
  async function ask(path: string, json?: object): Promise<unknown> {
    const about = json ? { method: 'POST' as const, json, headers } : { headers }
    const answer = await call<object>(`/api/v2/${path}`, about)
    if (at(answer, 'Success') === false) throw new GatewayRefusal(400, answer)
    return at(answer, 'Object')
  }
  const range = (now: Date) => {
    const day = (ms: number) => new Date(ms).toISOString().slice(0, 10)
    return `startDate=${day(now.getTime() - DAY_MS)}&endDate=${day(now.getTime() + DAY_MS)}`
  }
  return {
    async send({ to, text, from }) {
      const sent = await ask('send', { Sender: from, Receivers: to, Content: text })
      const id = first(sent, 'requestUniqueId', 'RequestUniqueId')
      if (!id) throw new GatewayRefusal(500, {})
      return id
    },
    check: () => ask('credits'),
    read: (request) => {
      const body = bodyOf(request)
      return (body['list'] ? listOf(body['list']) : [body]).flatMap(newsOf)
    },
    replies: async (now) => listOf(await ask(`replyreporting?${range(now)}`)).flatMap(newsOf),
    async reports(waiting, now) {
      const known = new Set(waiting.map(({ id }) => id))
      const reports = listOf(await ask(`detailedreporting?${range(now)}&delivered=all`)).flatMap(newsOf)
      return reports.filter((one) => one.is !== 'said' && known.has(one.id))
    },
  }
}
