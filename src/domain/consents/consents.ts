import { withoutAccents } from '#domain/messages/sms.ts'
import { phoneKey } from '#domain/phone/brazil.ts'

/** Purposes of a consent: offers, or notifications about orders. */
export const PURPOSES = ['marketing', 'utility'] as const
export type Purpose = (typeof PURPOSES)[number]

export const CONSENT_STATES = ['granted', 'revoked'] as const
export type ConsentState = (typeof CONSENT_STATES)[number]

/** Sources of a consent. */
export const SOURCES = ['conversation', 'import', 'widget', 'api', 'agent', 'campaign'] as const
export type ConsentSource = (typeof SOURCES)[number]

const OPT_OUTS = ['SAIR', 'PARAR', 'STOP']

/** Values of `send_type` that count as marketing. */
const MARKETING: readonly string[] = ['campaign', 'birthday', 'pipeline']

/** Whether messages of a `send_type` are marketing. */
export const isMarketing = (sendType: string): boolean => MARKETING.includes(sendType)

/** Parses a company's own opt-out words, separated by commas or lines. */
export const ownOptOuts = (setting: string): string[] => setting.split(/[,;\n]/).flatMap((one) => plainOf(one) || [])

const plainOf = (text: string): string =>
  withoutAccents(text)
    .toUpperCase()
    .replace(/[^\p{L}\p{N} ]/gu, '')
    .replace(/ +/g, ' ')
    .trim()

/** Maximum length of a text that can be an opt-out. */
const LONGEST = 60

/** Whether a message as a whole is an opt-out, ignoring case, accents and punctuation. */
export function isOptOut(text: string, own: readonly string[] = []): boolean {
  if (text.length > LONGEST) return false
  const plain = plainOf(text)
  return plain !== '' && (OPT_OUTS.includes(plain) || own.includes(plain))
}

/** Returns the consent address of a phone number, equal for all spellings. */
export const phoneAddress = (number: string): string => `phone:${phoneKey(number)}`

/** Returns the address of an e-mail. */
export const mailAddress = (email: string): string => `mail:${email.toLowerCase()}`

/** Returns the key of consents for a channel identity; `isByNumber`: the channel reaches phone numbers. */
export function addressOf(channel: string, identity: string, isByNumber: boolean): string {
  const digits = /^\+?(\d{8,15})(?:@.*)?$/.exec(identity.replace(/@lid$/, '#'))?.[1]
  if (isByNumber && digits) return phoneAddress(digits)
  return !isByNumber && identity.includes('@') ? mailAddress(identity) : `${channel}:${identity}`
}

/** Combines the states of a person's addresses: one revoked address is enough. */
export function stateOf(states: readonly ConsentState[]): ConsentState | 'unknown' {
  if (states.includes('revoked')) return 'revoked'
  return states.includes('granted') ? 'granted' : 'unknown'
}
