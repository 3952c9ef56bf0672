import { createHmac } from 'node:crypto'
import { withoutEnd } from '#domain/text.ts'
import { parseJson, readOutside } from '#kit/outside.ts'
import { record, textOrNumber } from '#kit/outside-fields.ts'
import { isSame } from '../is-same.ts'
import type { WebhookRequest, WebhookResult } from '../port.ts'

type Settings = Readonly<Record<string, string>>

const DONE = 'Pedido concluído: nada está guardado sob esta identificação do Facebook.'
const request = record({ algorithm: textOrNumber, user_id: textOrNumber })
const FORM = 'application/x-www-form-urlencoded'

/**
 * Answers Meta's calls to an app beside events: deauthorization and data deletion requests (`signed_request`,
 * developers.facebook.com, Data Deletion Request Callback), and the status of a deletion by its code. Null for other calls.
 */
export function answerCallback(
  settings: Settings,
  { method, url, headers, query, body: sent }: WebhookRequest,
): WebhookResult | null {
  const secret = settings['appSecret'] ?? ''
  const { code } = query
  if (method === 'GET')
    return code === undefined ? null : isCode(secret, code) ? text(DONE) : { isGenuine: false, isHandshake: true }
  if (!String(headers['content-type']).startsWith(FORM)) return null
  const form = new URLSearchParams(new TextDecoder().decode(sent))
  const [signature = '', payload = ''] = (form.get('signed_request') ?? '').split('.')
  const right = secret && createHmac('sha256', secret).update(payload).digest('base64url')
  if (!isSame(withoutEnd(signature, /=/), right)) return { isGenuine: false }
  const asked = readOutside(request, parseJson(Buffer.from(payload, 'base64url')))?.data ?? {}
  if (asked.algorithm?.toUpperCase() !== 'HMAC-SHA256' || !asked.user_id) return { isGenuine: false }
  const confirmation = codeOf(secret, createHmac('sha256', secret).update(asked.user_id).digest('hex').slice(0, 16))
  const body = JSON.stringify({ url: `${url}?code=${confirmation}`, confirmation_code: confirmation })
  return { isGenuine: true, events: [], unread: ['signed_request'], answer: { contentType: 'application/json', body } }
}

// A code proves itself, so that nothing about the requester has to be stored.
const codeOf = (secret: string, name: string): string =>
  name + createHmac('sha256', secret).update(`deletion ${name}`).digest('hex').slice(0, 16)

const isCode = (secret: string, code: string): boolean =>
  secret !== '' && isSame(code, codeOf(secret, code.slice(0, 16)))

const text = (body: string): WebhookResult => ({
  isGenuine: true,
  events: [],
  answer: { contentType: 'text/plain; charset=utf-8', body },
})
