import { present } from '#domain/present.ts'
import { parseJson } from '#kit/outside.ts'
import { unlessRefused } from '../gateway.ts'
import { GatewayRefusal, NO_JSON } from '../gateway-calls.ts'
import { sendFailure } from '../port.ts'
import {
  at,
  bodyOf,
  listOf,
  type MakeSmsProvider,
  REFUSALS,
  type SmsNews,
  type SmsSettings,
  textOf,
  withCountry,
} from './provider.ts'

const BROKEN_BODY = 'O corpo preenchido não é um JSON válido. Confira aspas e vírgulas.'

const statusesIn = (list = ''): string[] =>
  list
    .split(',')
    .map((one) => one.trim().toLowerCase())
    .filter((one) => one !== '')

/**
 * Creates a generic SMS provider with one call per message, from templates in the settings. Values are escaped for their
 * place: percent-encoded in URLs and forms, JSON-escaped in JSON.
 */
export const http: MakeSmsProvider = (settings, call) => {
  const { url = '', key = '', method = 'POST', headers = '', body = '' } = settings
  const isJson = /^\s*[[{]/.test(body)
  const filled = (text: string, values: Readonly<Record<string, string>>, write: (value: string) => string) =>
    text.replace(/\{(to|text|id|from|key)\}/g, (_, name: string) => write(values[name] ?? ''))
  const inJson = (value: string) => JSON.stringify(value).slice(1, -1)
  const headersWith = (values: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      headers.split('\n').flatMap((header) => {
        const [, name, value] = /^([\w-]+)\s*:(.*)/s.exec(header.trim()) ?? []
        return name
          ? [[name.toLowerCase(), filled(present(value).trim(), values, (one) => one.replace(/[\r\n]/g, ''))]]
          : []
      }),
    )
  function bodyWith(values: Readonly<Record<string, string>>) {
    const written = filled(body, values, isJson ? inJson : encodeURIComponent)
    if (!isJson) return { form: Object.fromEntries(new URLSearchParams(written)) }
    try {
      const json = parseJson(written)
      if (typeof json === 'object' && json !== null) return { json }
    } catch {}
    throw sendFailure('refused', BROKEN_BODY)
  }
  return {
    async send({ to, text, id, from }) {
      const values = { to, text, id, from, key }
      const { origin } = new URL(url)
      // URLs do not contain the key.
      const path = filled(url.slice(origin.length), { ...values, key: '' }, encodeURIComponent)
      const about = { headers: headersWith(values) }
      const { okAt = '', okIs = '', idAt = '' } = settings
      const posted = method === 'GET' ? {} : { ...bodyWith(values), method: 'POST' as const }
      // If the status alone confirms acceptance, the response may be anything.
      const answer = await call(path, { ...about, ...posted }).catch(okAt ? null : unlessRefused([NO_JSON], {}))
      if (okAt && textOf(at(answer, okAt)).toLowerCase() !== okIs.trim().toLowerCase())
        throw new GatewayRefusal(400, answer)
      return textOf(at(answer, idAt)) || id
    },
    // There is no query known to be without side effects.
    check: async () => {},
    async reach() {
      bodyWith({ to: '5511999990000', text: 'Teste "1"', id: 'x', from: '1', key })
      await call('/').catch((error: unknown) => {
        if (!(error instanceof GatewayRefusal)) throw error
      })
    },
    read(request) {
      const read = bodyOf(request)
      return (read['list'] ? listOf(read['list']) : [read]).flatMap((one) => newsIn(settings, one))
    },
  }
}

/** Reads a reply or a report at the places that the settings name. */
function newsIn(settings: SmsSettings, one: unknown): SmsNews[] {
  const { replyFromAt = '', replyTextAt = '', replyIdAt = '', reportIdAt = '', reportStatusAt = '' } = settings
  const from = replyFromAt && withCountry(textOf(at(one, replyFromAt)))
  const text = replyTextAt && textOf(at(one, replyTextAt))
  const state = (reportStatusAt && textOf(at(one, reportStatusAt))).trim().toLowerCase()
  // The provider's id, or ours if it returns none.
  const id = reportIdAt && textOf(at(one, reportIdAt))
  const about = { id, messageId: id }
  if (id && statusesIn(settings['deliveredWords']).includes(state)) return [{ is: 'delivered', ...about }]
  if (id && statusesIn(settings['failedWords']).includes(state))
    return [{ is: 'failed', ...about, error: REFUSALS.undelivered, providerText: state }]
  if (!from || !text) return []
  return [{ is: 'said', id: replyIdAt && textOf(at(one, replyIdAt)), from, text }]
}
