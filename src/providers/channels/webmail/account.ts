import type { ProviderValues } from '#kit/provider.ts'
import { type ChannelTools, sendFailure } from '../port.ts'
import { type MailTokens, tokensOf } from './oauth.ts'

/** Where a server is, and how what goes there is encrypted. */
export type MailServer = {
  readonly host: string
  readonly port: number
  readonly secure: 'tls' | 'starttls' | 'none'
}

/** A mailbox as it was filled in, with every address in small letters. */
export type MailAccount = {
  readonly imap: MailServer
  readonly smtp: MailServer
  readonly user: string
  readonly pass: string
  /** What lets us in in its place, where somebody logged in at Google or Microsoft. */
  readonly tokens: MailTokens | null
  readonly from: string
  readonly fromName: string
  readonly replyTo: string
  readonly signature: string
  /** How many days before the first connection are read. */
  readonly days: number
  /** Our addresses. */
  readonly own: readonly string[]
}

/** What was filled in of a mailbox. */
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

/** What is said where something would leave without encryption to where others may listen. */
const UNPROTECTED = 'Sem TLS, o servidor só pode ser de uma rede permitida (OUTBOUND_ALLOW).'

/** The address of a server, which was checked; fails as refused where it is not to be reached without encryption. */
export async function reach(
  { host, secure }: MailServer,
  { addressOf, isNear }: Pick<ChannelTools, 'addressOf' | 'isNear'>,
): Promise<string> {
  const address = await addressOf(host)
  if (secure === 'none' && !isNear(address)) throw sendFailure('refused', UNPROTECTED)
  return address
}
