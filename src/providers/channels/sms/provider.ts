import { isBrazilianPhone } from '#domain/phone/brazil.ts'
import { parseJson, readOutside } from '#kit/outside.ts'
import { record } from '#kit/outside-fields.ts'
import type { GatewayRefusal, gatewayCalls } from '../gateway-calls.ts'
import type { ProviderEvent, SendFailure, WebhookRequest } from '../port.ts'
import { idOf } from '../read.ts'

/** What is set once at the provider of text messages, as `config.ts` names it. */
export type SmsSettings = Readonly<Record<string, string>>

/** One text message on its way: `to` in international digits, `id` ours. */
export type SmsOut = { readonly to: string; readonly text: string; readonly id: string; readonly from: string }

/** What a provider tells, by a call of its or when it is asked. */
export type SmsNews =
  | {
      readonly is: 'said'
      /** '' where it has none. */
      readonly id: string
      /** With its country. */
      readonly from: string
      /** To which of our lines, where that is told. */
      readonly to?: string
      readonly text: string
      readonly at?: number
    }
  | {
      readonly is: 'sent' | 'delivered' | 'failed'
      /** The provider's id, and ours where it gives it back. */
      readonly id: string
      readonly messageId?: string
      readonly to?: string
      /** A sentence for people, and the provider's own words. */
      readonly error?: string
      readonly providerText?: string
    }

/** What was sent and of whose fate nothing is known yet: the provider's id, to whom (digits), and when (epoch ms). */
export type SmsWaiting = { readonly id: string; readonly to: string; readonly at: number }

export type SmsCalls = ReturnType<typeof gatewayCalls>

/** Who carries text messages, made from the settings and the calls of its address. */
export type SmsProvider = {
  /** Hands it over; answers the provider's id. `door` is where it is to call about it. */
  send(message: SmsOut, door: string | null): Promise<string>
  /** Asks something that changes nothing and needs the key. */
  check(): Promise<unknown>
  /** Where nothing can be asked that needs the key: whether anybody answers there at all. */
  reach?(): Promise<unknown>
  /** Whether it calls this address, and has it do so; absent where that is set in its panel only. */
  callsUs?(url: string): Promise<boolean>
  register?(url: string): Promise<void>
  /** Reads a call of it at `url`; null where it is not from it. */
  read(request: WebhookRequest, url: string | null): readonly SmsNews[] | null
  /** What was said to us lately, and what became of what was sent, where it has to be asked. */
  replies?(now: Date): Promise<readonly SmsNews[]>
  reports?(waiting: readonly SmsWaiting[], now: Date): Promise<readonly SmsNews[]>
  /** What its refusal of a message means; null where it says nothing that is known. */
  refusal?(refused: GatewayRefusal): SendFailure | null
}

export type MakeSmsProvider = (settings: SmsSettings, call: SmsCalls) => SmsProvider

/** What stands at a dotted path of something; undefined where nothing does. */
export const at = (value: unknown, path: string): unknown =>
  path
    .split('.')
    .filter((part) => part !== '')
    .reduce<unknown>(
      (one, part) => (one === null || typeof one !== 'object' ? undefined : Reflect.get(one, part)),
      value,
    )

/** What a call says, by its own content type: a form, JSON, or nothing but its address. */
export function bodyOf({ body, headers, query }: WebhookRequest): Readonly<Record<string, unknown>> {
  const text = new TextDecoder().decode(body)
  if (text.trim() === '') return query
  if (String(headers['content-type']).includes('form')) return Object.fromEntries(new URLSearchParams(text))
  const read = parseJson(text)
  return Array.isArray(read) ? { list: read } : (readOutside(record({}), read)?.data ?? {})
}

/** The digits of a number that is written with its country. */
export const digitsOf = (number: unknown): string =>
  String(number ?? '')
    .replace(/\D/g, '')
    .replace(/^0+/, '')

/** International digits of a number that may be written as within Brazil: one that exists there gets its country. */
export function withCountry(number: unknown): string {
  const digits = digitsOf(number)
  const isNational = !String(number).trim().startsWith('+') && isBrazilianPhone(`55${digits}`)
  return isNational ? `55${digits}` : digits
}

/** What has no id, and is said again by the same person within so long, is what a provider tells again. */
const REPEAT_MS = 10_000

const isNumber = (number: string): boolean => /^\+?\d{10,15}$/.test(number.replace(/[\s().-]/g, ''))

/** Whether something was said to another one of several lines: a provider may tell each of them all that was said to any. */
export const isForOther = (news: SmsNews, own: string): boolean =>
  news.is === 'said' && isNumber(own) && isNumber(news.to ?? '') && digitsOf(news.to) !== withCountry(own)

/** The longest id that can be a key; a longer one stands for itself in short. */
const MOST_ID_LENGTH = 200
const shortId = (id: string): string => (id.length > MOST_ID_LENGTH ? idOf(id) : id)

/** What a provider told, as events of the channel. */
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

/** A text as JSON may have it: '' for what is none. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Sentences that several providers have a code for. */
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
