import { fieldIn } from '#domain/keys.ts'
import { isBrazilianPhone } from '#domain/phone/brazil.ts'
import { parseJson, readOutside } from '#kit/outside.ts'
import { record } from '#kit/outside-fields.ts'
import type { GatewayRefusal, gatewayCalls } from '../gateway-calls.ts'
import type { ProviderEvent, SendFailure, WebhookRequest } from '../port.ts'
import { idOf } from '../read.ts'

/** Settings of the SMS provider, as defined in `config.ts`. */
export type SmsSettings = Readonly<Record<string, string>>

/** Outgoing SMS: `to` in international digits, `id` ours. */
export type SmsOut = { readonly to: string; readonly text: string; readonly id: string; readonly from: string }

/** News from a provider, by webhook or poll. */
export type SmsNews =
  | {
      readonly is: 'said'
      /** Id at the provider; '' if none. */
      readonly id: string
      /** Sender with country code. */
      readonly from: string
      /** Our receiving line, if given. */
      readonly to?: string
      readonly text: string
      readonly at?: number
    }
  | {
      readonly is: 'sent' | 'delivered' | 'failed'
      /** Id at the provider, and our id if it returns it. */
      readonly id: string
      readonly messageId?: string
      readonly to?: string
      /** Sentence for people, and the provider's own words. */
      readonly error?: string
      readonly providerText?: string
    }

/** Sent message without a final report: id at the provider, recipient (digits), time (epoch ms). */
export type SmsWaiting = { readonly id: string; readonly to: string; readonly at: number }

export type SmsCalls = ReturnType<typeof gatewayCalls>

/** Port to an SMS provider, created from the settings and the calls to its URL. */
export type SmsProvider = {
  /** Sends a message; returns the provider's id. `door`: webhook URL for reports. */
  send(message: SmsOut, door: string | null): Promise<string>
  /** Calls something without side effects that requires the key. */
  check(): Promise<unknown>
  /** Checks that a server answers at the URL, where nothing that requires the key can be queried. */
  reach?(): Promise<unknown>
  /**
   * `callsUs`: whether the webhook is this URL; `register`: registers it. Absent where the webhook is set in the provider's
   * panel only.
   */
  callsUs?(url: string): Promise<boolean>
  register?(url: string): Promise<void>
  /** Reads a webhook call at `url`; null if it is not from the provider. */
  read(request: WebhookRequest, url: string | null): readonly SmsNews[] | null
  /** Polls for incoming messages (`replies`) and reports (`reports`), where the provider does not call. */
  replies?(now: Date): Promise<readonly SmsNews[]>
  reports?(waiting: readonly SmsWaiting[], now: Date): Promise<readonly SmsNews[]>
  /** Returns the meaning of a refused message; null if unknown. */
  refusal?(refused: GatewayRefusal): SendFailure | null
}

export type MakeSmsProvider = (settings: SmsSettings, call: SmsCalls) => SmsProvider

/** Returns the value at a dotted path; undefined if there is none. */
export const at = (value: unknown, path: string): unknown =>
  path
    .split('.')
    .filter((part) => part !== '')
    .reduce<unknown>((one, part) => fieldIn(one, part), value)

/** Parses a webhook call by its content type: form, JSON, or query string only. */
export function bodyOf({ body, headers, query }: WebhookRequest): Readonly<Record<string, unknown>> {
  const text = new TextDecoder().decode(body)
  if (text.trim() === '') return query
  if (String(headers['content-type']).includes('form')) return Object.fromEntries(new URLSearchParams(text))
  const read = parseJson(text)
  return Array.isArray(read) ? { list: read } : (readOutside(record({}), read)?.data ?? {})
}

/** Returns the digits of a number written with its country code. */
export const digitsOf = (number: unknown): string =>
  String(number ?? '')
    .replace(/\D/g, '')
    .replace(/^0+/, '')

/** Returns international digits of a number; a valid Brazilian national number gets its country code. */
export function withCountry(number: unknown): string {
  const digits = digitsOf(number)
  const isNational = !String(number).trim().startsWith('+') && isBrazilianPhone(`55${digits}`)
  return isNational ? `55${digits}` : digits
}

/** Time in which the same text of the same sender without an id counts as a repeated delivery, in ms. */
const REPEAT_MS = 10_000

const isNumber = (number: string): boolean => /^\+?\d{10,15}$/.test(number.replace(/[\s().-]/g, ''))

/** Whether a message was sent to another of our lines, as a provider may report every message to all lines. */
export const isForOther = (news: SmsNews, own: string): boolean =>
  news.is === 'said' && isNumber(own) && isNumber(news.to ?? '') && digitsOf(news.to) !== withCountry(own)

/** Maximum length of an id used as a key; longer ones are hashed. */
const MOST_ID_LENGTH = 200
const shortId = (id: string): string => (id.length > MOST_ID_LENGTH ? idOf(id) : id)

/** Converts news from a provider into an event. */
export function eventOf(news: SmsNews, now: Date): ProviderEvent {
  if (news.is === 'said') {
    const number = digitsOf(news.from)
    const id = shortId(news.id) || `${number} ${Math.floor(now.getTime() / REPEAT_MS)} ${news.text}`.slice(0, 200)
    const message = { providerId: id, timestamp: news.at ?? now.getTime(), type: 'text' as const, body: news.text }
    const sender = { identity: number, name: '', number }
    return { type: 'message', dedupeKey: `said ${id}`, conversationKey: number, sender, message }
  }
  const { is: status, to, messageId, error, providerText } = news
  const providerId = shortId(news.id)
  return {
    ...{ type: 'receipt', dedupeKey: `${providerId} ${status}`, providerId, status, timestamp: now.getTime() },
    conversationKey: to ? digitsOf(to) : providerId,
    ...(messageId ? { messageId } : {}),
    ...(error ? { error } : {}),
    ...(providerText ? { providerText } : {}),
  }
}

/** Converts a JSON value into text; '' for objects and null. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Sentences for refusals that several providers report by code. */
export const REFUSALS = {
  number: 'O número não existe ou não é de celular.',
  landline: 'O número é de uma linha fixa, que não recebe SMS.',
  region: 'A conta no provedor não pode enviar para esta região.',
  optedOut: 'O contato pediu para não receber mais SMS deste remetente.',
  filtered: 'A operadora barrou a mensagem.',
  unreached: 'O celular não foi alcançado pela operadora.',
  credit: 'Acabaram os créditos no provedor de SMS.',
  refused: 'O provedor de SMS não aceitou a mensagem.',
  undelivered: 'A operadora não entregou a mensagem.',
} as const
