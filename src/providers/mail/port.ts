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
 * An attempt that failed; `status` is the provider's answer in digits, where there was one, `text` is for people. Where all of
 * the mail had left before (`hasLeft`) and nothing was answered, nobody knows whether it arrives.
 */
export type MailRefused = {
  readonly ok: false
  readonly problem: MailProblem
  readonly status: number | null
  readonly hasLeft: boolean
  readonly text: string
}

/** What became of an attempt. */
export type MailOutcome = { readonly ok: true } | MailRefused

/**
 * What an adapter works with (decision B21). `addressOf` answers the address to connect to, which was checked; fails with
 * ERR_ADDRESS_REFUSED where calls may not go, and otherwise where there is none. `isNear` tells whether an address is of
 * this machine or of an allowed network.
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
