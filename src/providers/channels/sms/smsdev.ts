import { GatewayRefusal } from '../gateway-calls.ts'
import { sendFailure } from '../port.ts'
import { at, bodyOf, type MakeSmsProvider, REFUSALS, type SmsNews, textOf, withCountry } from './provider.ts'

const STATES: Readonly<Record<string, 'sent' | 'delivered' | 'failed'>> = {
  RECEBIDA: 'delivered',
  ENVIADA: 'sent',
  ERRO: 'failed',
  CANCELADA: 'failed',
  'BLACK LIST': 'failed',
}

const listed = (answer: unknown): readonly unknown[] => (Array.isArray(answer) ? answer : [answer])
const isRefused = (one: unknown): boolean => textOf(at(one, 'situacao')).toUpperCase() === 'ERRO'

const stateNews = (id: string, one: unknown, to: string): SmsNews[] => {
  const described = textOf(at(one, 'descricao') ?? at(one, 'status')).toUpperCase()
  const state = STATES[described]
  if (!state || !id) return []
  const error = described === 'BLACK LIST' ? REFUSALS.optedOut : REFUSALS.undelivered
  return [{ is: state, id, to, ...(state === 'failed' ? { error, providerText: described } : {}) }]
}

/** Adapter of SMSDev: refusals have status 200; reports and replies are polled, or received from its panel's webhook. */
export const smsdev: MakeSmsProvider = ({ key = '' }, call) => {
  // The key is sent in the body, so that no URL contains it.
  const ask = async (path: string, json: object): Promise<readonly unknown[]> =>
    listed(await call(`/v1/${path}`, { method: 'POST', json: { key, ...json } }))
  return {
    async send({ to, text, id }) {
      const [answer] = await ask('send', { type: 9, number: to, msg: text, refer: id })
      if (isRefused(answer)) throw new GatewayRefusal(400, answer)
      const name = textOf(at(answer, 'id'))
      if (!name) throw new GatewayRefusal(500, {})
      return name
    },
    async check() {
      const [answer] = await ask('balance', { action: 'saldo' })
      if (isRefused(answer)) throw new GatewayRefusal(401, answer)
    },
    read(request) {
      const body = bodyOf(request)
      const text = textOf(body['mensagem'] ?? body['msg'] ?? body['descricao'])
      const from = withCountry(textOf(body['telefone'] ?? body['number']))
      const id = textOf(body['id_sms_read'])
      if (id && text) return [{ is: 'said', id, from, text }]
      return stateNews(textOf(body['id']), body, from)
    },
    async replies(now) {
      const day = (ms: number) => new Date(ms).toLocaleDateString('pt-BR', { timeZone: 'America/Sao_Paulo' })
      const from = { date_from: day(now.getTime() - 86_400_000), date_to: day(now.getTime()) }
      return (await ask('inbox', { status: 1, ...from })).flatMap((one): SmsNews[] => {
        const id = textOf(at(one, 'id_sms_read'))
        return id
          ? [{ is: 'said', id, from: withCountry(at(one, 'telefone')), text: textOf(at(one, 'descricao')) }]
          : []
      })
    },
    async reports(waiting) {
      // In the order of the request, for reports without ids.
      const reports = await ask('dlr', { id: waiting.map(({ id }) => id) })
      return reports.flatMap((one, index) => {
        const named = textOf(at(one, 'id'))
        const of = named ? waiting.find(({ id }) => id === named) : waiting[index]
        return of ? stateNews(of.id, one, of.to) : []
      })
    },
    refusal({ status, answer }) {
      const reason = textOf(at(answer, 'descricao'))
      if (status !== 400) return null
      const about = { providerText: reason.slice(0, 500) }
      if (/saldo|cr[ée]dito/i.test(reason)) return sendFailure('unreachable', REFUSALS.credit, about)
      if (/key|chave/i.test(reason))
        return sendFailure('unreachable', 'A SMSDev não aceita mais a chave.', { stops: 'token' })
      return sendFailure('refused', /number|n[úu]mero/i.test(reason) ? REFUSALS.number : REFUSALS.refused, about)
    },
  }
}
