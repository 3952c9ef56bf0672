import { createHmac } from 'node:crypto'
import { GatewayRefusal } from '../gateway-calls.ts'
import { isSame } from '../is-same.ts'
import { sendFailure } from '../port.ts'
import { lookUp } from '../read.ts'
import { at, bodyOf, type MakeSmsProvider, REFUSALS, type SmsNews, textOf } from './provider.ts'

/** Sentences for Twilio's error codes (its error dictionary). */
const CODES: Readonly<Record<string, string>> = {
  21211: REFUSALS.number,
  21614: REFUSALS.number,
  21408: REFUSALS.region,
  21610: REFUSALS.optedOut,
  30003: REFUSALS.unreached,
  30005: REFUSALS.number,
  30006: REFUSALS.landline,
  30007: REFUSALS.filtered,
}
const STATES = { sent: 'sent', delivered: 'delivered', undelivered: 'failed', failed: 'failed' } as const

/** Returns Twilio's signature of a form's call: HMAC-SHA1 of the URL and the fields in order of name, in base64. */
export const twilioSignature = (token: string, url: string, form: Readonly<Record<string, unknown>>): string =>
  createHmac('sha1', token)
    .update(
      url +
        Object.keys(form)
          .sort()
          .map((name) => name + textOf(form[name]))
          .join(''),
    )
    .digest('base64')

/** Adapter of Twilio's Programmable Messaging (2010-04-01). */
export const twilio: MakeSmsProvider = ({ account = '', key = '' }, call) => {
  const headers = { authorization: `Basic ${Buffer.from(`${account}:${key}`).toString('base64')}` }
  const base = `/2010-04-01/Accounts/${encodeURIComponent(account)}`
  const ask = (path: string, form?: Readonly<Record<string, string>>) =>
    call<unknown>(`${base}${path}`, form ? { method: 'POST', form, headers } : { headers })
  return {
    async send({ to, text, id, from }, door) {
      const sender = { [from.startsWith('MG') ? 'MessagingServiceSid' : 'From']: from }
      // The status call contains our id.
      const about: Record<string, string> = door ? { StatusCallback: `${door}?m=${id}` } : {}
      const sent = await ask('/Messages.json', { To: `+${to}`, ...sender, Body: text, ...about })
      const sid = textOf(at(sent, 'sid'))
      if (!sid) throw new GatewayRefusal(500, {})
      return sid
    },
    check: () => ask('.json'),
    read({ headers: given, query, ...request }, url) {
      const form = bodyOf({ headers: given, query: {}, ...request })
      const parameters = new URLSearchParams(query).toString()
      const address = `${url}${parameters ? `?${parameters}` : ''}`
      // Without a key anybody could sign.
      if (!key || !isSame(textOf(given['x-twilio-signature']), twilioSignature(key, address, form))) return null
      const id = textOf(form['MessageSid'])
      const state = lookUp(STATES, textOf(form['MessageStatus']))
      if (state === undefined)
        return form['Body'] === undefined || form['MessageStatus']
          ? []
          : [{ is: 'said', id, from: textOf(form['From']), text: textOf(form['Body']) }]
      const code = textOf(form['ErrorCode'])
      const news: SmsNews = { is: state, id, to: textOf(form['To']), ...(query['m'] ? { messageId: query['m'] } : {}) }
      return [
        state === 'failed'
          ? { ...news, error: CODES[code] ?? REFUSALS.undelivered, ...(code ? { providerText: `Twilio ${code}` } : {}) }
          : news,
      ]
    },
    refusal({ status, answer }) {
      const [code, message] = [textOf(at(answer, 'code')), textOf(at(answer, 'message'))]
      if (status === 429 || !code || code === '20003') return null
      const about = message ? { providerText: `${code}: ${message}`.slice(0, 500) } : {}
      return status < 500 ? sendFailure('refused', CODES[code] ?? REFUSALS.refused, about) : null
    },
  }
}
