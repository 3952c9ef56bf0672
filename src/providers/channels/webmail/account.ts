import type { ProviderValues } from '#kit/provider.ts'
import { type ChannelTools, sendFailure } from '../port.ts'
import { type MailTokens, tokensOf } from './oauth.ts'

/** Host, port and encryption of a mail server. */
export type MailServer = {
  readonly host: string
  readonly port: number
  readonly secure: 'tls' | 'starttls' | 'none'
}

/** Settings of a mailbox, with every address in lower case. */
export type MailAccount = {
  readonly imap: MailServer
  readonly smtp: MailServer
  readonly user: string
  readonly pass: string
  /** Tokens in place of a password, if the mailbox was connected by a login at Google or Microsoft. */
  readonly tokens: MailTokens | null
  readonly from: string
  readonly fromName: string
  readonly replyTo: string
  readonly signature: string
  /** Number of days before the first connection whose mails are read. */
  readonly days: number
  /** Our own addresses. */
  readonly own: readonly string[]
}

/** Reads the settings of a mailbox. */
export function accountOf(values: ProviderValues, tools: ChannelTools): MailAccount {
  const text = (name: string) => String(values[name] ?? '').trim()
  const from = text('from').toLowerCase()
  const user = text('user') || from
  const server = (host: string, port: string, secure: string): MailServer => ({
    ...{ host: text(host), port: Number(values[port] ?? 0), secure: text(secure) as MailServer['secure'] },
  })
  const own = [from, text('replyTo').toLowerCase(), user.toLowerCase()].filter((one) => one.includes('@'))
  return {
    imap: server('imapHost', 'imapPort', 'imapSecure'),
    smtp: server('host', 'port', 'secure'),
    ...{ user, from, fromName: text('fromName'), replyTo: text('replyTo').toLowerCase() },
    ...{
      pass: String(values['pass'] ?? ''),
      tokens: tokensOf(values, tools),
      signature: text('signature'),
      days: Number(values['days'] ?? 0),
    },
    own: [...new Set(own)],
  }
}

/** Text for an unencrypted connection to a network that is not allowed. */
const UNPROTECTED = 'Sem TLS, o servidor só pode ser de uma rede permitida (OUTBOUND_ALLOW).'

/** Returns the checked address of a server; fails as refused if it may not be reached without encryption. */
export async function reach(
  { host, secure }: MailServer,
  { addressOf, isNear }: Pick<ChannelTools, 'addressOf' | 'isNear'>,
): Promise<string> {
  const address = await addressOf(host)
  if (secure === 'none' && !isNear(address)) throw sendFailure('refused', UNPROTECTED)
  return address
}
