import type { Email } from 'postal-mime'
import { addressIn } from './addresses.ts'
import { reasonOf } from './delivery.ts'
import { messageIdIn } from './ids.ts'

/** Notice of a mail server about a mail of ours: failed, delayed, or delivered. */
export type Bounce = {
  readonly action: 'failed' | 'delayed' | 'delivered'
  /** Ids of our messages that it may concern, likeliest first; the caller looks them up. */
  readonly messageIds: readonly string[]
  /** Reason as a sentence in Portuguese, and the server's own words. */
  readonly reason: string
  readonly providerText: string
}

const DAEMONS = /^(mailer-daemon|postmaster|mail-?daemon|mdaemon|bounces?)([+._-].*)?@/i
const FAILED_SUBJECT =
  /undeliver|delivery (status notification|failure|has failed)|failure notice|mail delivery failed|returned mail|n[aã]o (foi )?entregue|falha na entrega|mensagem devolvida|could not be delivered/i
const DELAYED = /\b(delay(ed)?|atras(o|ada)|still being retried|will be retried)\b/i
const MOST_READ = 200_000
/** Maximum length of the text that is searched for a reason without a code, in characters. */
const MOST_DIAGNOSTIC = 2000
const IDS = /<[^<>\s]+>/g
const ID_FIELDS = /^Message-ID[ \t]*:[ \t]*(?:\r?\n[ \t]+)?(<[^<>\s]+>)/gim
/** Maximum number of ids in the returned mail that are looked up. */
const MOST_IDS = 10

/**
 * Parses a server's notice about a mail of ours (RFC 3464, or the texts of older servers); null if it is no notice, or names
 * no possible mail of ours. `source`: bytes of the mail, which contain the returned mail.
 */
export function bounceIn(email: Email, source: Uint8Array): Bounce | null {
  const header = (name: string) => email.headers.find(({ key }) => key === name)?.value ?? ''
  const isReport = /multipart\/report/i.test(header('content-type')) && /delivery-status/i.test(header('content-type'))
  const from = addressIn(email.from?.address) ?? ''
  const isOld = DAEMONS.test(from) && (FAILED_SUBJECT.test(email.subject ?? '') || header('x-failed-recipients') !== '')
  if (!isReport && !isOld) return null
  const text = readable(email, source)
  const messageIds = messageIdsIn(text, email.messageId ?? '')
  if (messageIds.length === 0) return null
  const field = (name: string) =>
    text
      .match(new RegExp(`^${name}[ \\t]*:[ \\t]*(.*(?:\\r?\\n[ \\t].*)*)`, 'im'))?.[1]
      ?.replace(/\s+/g, ' ')
      .trim() ?? ''
  const given = field('Action').toLowerCase()
  const code =
    field('Status').match(/[245]\.\d{1,3}\.\d{1,3}/)?.[0] ?? text.match(/\b[45]\.\d{1,3}\.\d{1,3}\b/)?.[0] ?? ''
  const diagnostic = field('Diagnostic-Code') || (text.match(/^.*\b[45]\d\d[ -].*/m)?.[0] ?? '').trim()
  const recipient =
    addressIn((field('Final-Recipient') || field('Original-Recipient')).replace(/^[^;]*;\s*/, '')) ??
    addressIn(header('x-failed-recipients').split(',')[0]) ??
    addressIn(text.match(/[^\s<>@,;:"]{1,64}@[^\s<>@,;:"]{1,190}/)?.[0]) ??
    ''
  const action = actionOf(given, code, email.subject ?? '')
  const smtp = diagnostic.match(/\b[45]\d\d\b/)?.[0] ?? ''
  return {
    ...{ action, messageIds, reason: reasonOf(code || smtp, diagnostic || text.slice(0, MOST_DIAGNOSTIC), recipient) },
    providerText: (diagnostic || email.subject || '').slice(0, 300),
  }
}

/**
 * Returns the ids of our messages that a notice may concern. The returned mail has its own Message-ID and quotes earlier
 * ones of ours above it; if its own is not ours, neither is the mail.
 */
function messageIdsIn(text: string, ownId: string): string[] {
  const fields = [...text.matchAll(ID_FIELDS)].map(([, id = '']) => id).filter((id) => id !== ownId.trim())
  const ids = fields.length > 0 ? fields : (text.match(IDS) ?? []).filter((id) => id !== ownId.trim())
  return [...new Set(ids.flatMap((id) => messageIdIn(id) ?? []))].slice(0, MOST_IDS)
}

function actionOf(given: string, code: string, subject: string): Bounce['action'] {
  if (/^(delivered|relayed|expanded)/.test(given)) return 'delivered'
  if (given.startsWith('delayed') || (given === '' && (code.startsWith('4.') || DELAYED.test(subject))))
    return 'delayed'
  return 'failed'
}

/** Returns all readable text of a mail: body, parts, and its bytes, which contain parts that are not shown. */
function readable(email: Email, source: Uint8Array): string {
  const decoder = new TextDecoder()
  const parts = email.attachments
    .filter(({ mimeType }) => /^(message|text)\//.test(mimeType))
    .map(({ content }) => (typeof content === 'string' ? content : decoder.decode(content)))
  return [email.text ?? '', ...parts, decoder.decode(source.subarray(0, MOST_READ))].join('\n').slice(0, 3 * MOST_READ)
}
