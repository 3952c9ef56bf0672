import type { ProviderValues } from '#kit/provider.ts'

/** Mail to one person; `id` becomes its Message-ID, so that a repeat is the same mail. */
export type Mail = {
  readonly id: string
  readonly from: { readonly name: string; readonly address: string }
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html?: string
}

/** Reason why a mail was not sent; without texts of the provider, which quote addresses. */
export type MailProblem =
  | 'address'
  | 'host'
  | 'refused'
  | 'timeout'
  | 'certificate'
  | 'protection'
  | 'unprotected'
  | 'login'
  | 'sender'
  | 'recipient'
  | 'other'

/**
 * Failed attempt; `status` is the provider's reply code, if any, `text` is for people. If all of the mail was sent
 * (`hasLeft`) without a reply, its delivery is unknown.
 */
export type MailRefused = {
  readonly ok: false
  readonly problem: MailProblem
  readonly status: number | null
  readonly hasLeft: boolean
  readonly text: string
}

/** Result of an attempt. */
export type MailOutcome = { readonly ok: true } | MailRefused

/**
 * Tools of an adapter (decision B21). `addressOf` returns the checked address to connect to; throws ERR_ADDRESS_REFUSED
 * for forbidden networks, and another error if there is none. `isNear` tells whether an address is of this machine or
 * of an allowed network.
 */
export type MailTools = {
  readonly addressOf: (host: string) => Promise<string>
  readonly isNear: (address: string) => boolean
}

/** Adapter of one account at a mail provider. */
export type MailAdapter = {
  /** Sends one mail. Never throws. */
  send(mail: Mail): Promise<MailOutcome>
}

/** Creates the adapter of one account from its values, secrets decrypted. */
export type MakeMailAdapter = (values: ProviderValues, tools: MailTools) => MailAdapter

/** Replaces line breaks and other control characters of a text by spaces, so that it cannot begin another header. */
export const withoutLineBreaks = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
