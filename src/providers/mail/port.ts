import type { ProviderValues } from '#kit/provider.ts'

/** One mail to one person; `id` becomes its Message-ID, so that a repeat is the same mail. */
export type Mail = {
  readonly id: string
  readonly from: { readonly name: string; readonly address: string }
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html?: string
}

/** Why a mail did not leave. Texts of the provider stay out of it: they quote addresses. */
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
 * A failed attempt; `status` is the provider's reply code, if any, `text` is for people. If all of the mail had left
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

/** One account at a provider of mails. */
export type MailAdapter = {
  /** Hands one mail over. Never throws. */
  send(mail: Mail): Promise<MailOutcome>
}

/** Makes the adapter of one account from what was filled in, secrets in the clear. */
export type MakeMailAdapter = (values: ProviderValues, tools: MailTools) => MailAdapter

/** A text that cannot begin another header: line ends and other control characters become spaces. */
export const withoutLineBreaks = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
