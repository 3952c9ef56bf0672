import { isAnswer, type Mail, mailOf } from '#domain/messages/mail.ts'
import { typeOfMime } from '#domain/messages/types.ts'
import type { ContinuationNews, Ledger, LinkEvent, ProviderEvent } from '../port.ts'
import type { Bounce } from './bounce.ts'
import { messageIdIn, ownIdOf, withMark } from './ids.ts'
import type { MailFile, ReadMail } from './read-mail.ts'
import { conversationOf, type Earlier, SUBJECT_MS } from './threading.ts'

/** Maximum size of a mail's file, in bytes. */
const MOST_FILE = 25_000_000
/** Maximum number of recent mails that are remembered, because the ledger may not have them yet. */
const MOST_RECENT = 2000
const MOST_FILES = 100
/** Maximum length of a stored automatic answer, in characters. */
const MOST_NOTED = 300

type Known = {
  readonly conversationKey: string
  readonly providerId: string | null
  readonly mark: string | null
  /** Our id of a message whose response was lost. */
  readonly unanswered: string | null
  /** Our id, if known. */
  readonly messageId: string | null
  /** Id of the other connection whose conversation the mail continued. */
  readonly elsewhere: number | null
}
type Recent = Earlier &
  Pick<Known, 'elsewhere'> & { readonly id: string; readonly sender: string; readonly mark: string }

/** Text in place of a file that is too large or empty, or a damaged picture. */
export const notTaken = (name: string): string => `[Anexo que não é aceito aqui: ${name}]`

/** Converts mails into events and remembers the recent ones; `from` is our sending address. */
export function makeArrivals(ledger: Ledger, from: string) {
  let recent: readonly Recent[] = []

  /** Looks up mails, the mails that they answer, and mails with the same id. */
  async function lookUp(mails: readonly ReadMail[]): Promise<Map<string, Known>> {
    const ids = mails.flatMap(({ id, mark, parents }) => [id, withMark(id, mark), ...parents])
    const bounced = mails.flatMap(({ bounce }) => bounce?.messageIds ?? [])
    const ours = new Map(ids.flatMap((id) => [[messageIdIn(id) ?? '', id] as const]))
    ours.delete('')
    const found = await ledger.known({ providerIds: [...new Set(ids)], messageIds: [...ours.keys(), ...bounced] })
    const known = new Map<string, Known>()
    for (const one of recent) known.set(one.id, knownAs(one))
    for (const { data, ...one } of found) {
      const { messageId, providerId } = one
      const unanswered = providerId ? null : messageId
      const about = { ...one, mark: mailOf(data)?.mark ?? null, unanswered }
      for (const name of [providerId, ours.get(messageId ?? ''), messageId]) if (name) known.set(name, about)
    }
    return known
  }

  async function earlierOf({ from, subject, parents, timestamp }: ReadMail, known: ReadonlyMap<string, Known>) {
    if (!isAnswer(subject) || parents.some((id) => known.has(id))) return []
    const messages = await ledger.withSender(from.address, timestamp - SUBJECT_MS)
    const before = messages.map(({ conversationKey, data, timestamp: at }) => {
      return { conversationKey, subject: mailOf(data)?.subject ?? '', timestamp: at }
    })
    return [...before, ...recent.filter(({ sender, elsewhere }) => sender === from.address && elsewhere === null)]
  }

  async function eventsOf(mail: ReadMail, known: Map<string, Known>): Promise<LinkEvent[]> {
    const proofs = proofsIn([mail.id, ...mail.parents], known, mail.timestamp)
    const bounced = mail.bounce?.messageIds.find((one) => known.has(one))
    if (mail.bounce && bounced !== undefined && mail.bounce.action !== 'delayed')
      return [...proofs, ...bouncedOf(mail, mail.bounce, known.get(bounced)!, ownIdOf(bounced, from))]
    const id = idOf(mail, known)
    if (id === null) return proofs
    const keys = new Map([...known].map(([name, { conversationKey }]) => [name, conversationKey]))
    const parents = bounced === undefined ? mail.parents : [bounced, ...mail.parents]
    const conversationKey = conversationOf({ ...mail, id, parents }, keys, await earlierOf(mail, known))
    const parent = parents.map((one) => known.get(one)).find((one) => one !== undefined)
    const elsewhere = parent?.elsewhere ?? null
    const { mark, subject, timestamp } = mail
    // An automatic reply is not added to a conversation of another channel.
    if (parent && elsewhere !== null && mail.isAutomatic)
      return [...proofs, ...continuationOf(mail, parent, { status: 'answered', text: mail.text.slice(0, MOST_NOTED) })]
    const one = { id, mark, subject, timestamp, conversationKey, sender: mail.from.address, elsewhere }
    known.set(id, knownAs(one))
    recent = [...recent, one].slice(-MOST_RECENT)
    // In that channel the contact's identity is the conversation key.
    const sender = { identity: conversationKey, name: '' }
    if (!parent || elsewhere === null) return [...proofs, ...(await spoken(mail, id, conversationKey))]
    const events = await spoken(mail, id, conversationKey, sender)
    return [...continuationOf(mail, parent, { status: 'sent' }), ...events.map((event) => ({ ...event, elsewhere }))]
  }

  /** Converts a mail into a message, and each of its files into a further message. */
  async function spoken(
    mail: ReadMail,
    id: string,
    conversationKey: string,
    sender: { identity: string; name: string; email?: string } = senderOf(mail),
  ): Promise<ProviderEvent[]> {
    const { formattedOf } = await import('./clean.ts')
    const { html, rest } = formattedOf(mail.html, mail.files)
    const files = await Promise.all(rest.slice(0, MOST_FILES).map((file) => stored(file)))
    const left = rest.length - files.length
    const refused = [
      ...files.flatMap((one) => ('refused' in one ? [one.refused] : [])),
      ...(left > 0 ? [`[Mais ${left} anexos, que só o programa de e-mail mostra]`] : []),
    ]
    const text = [mail.text || (files.length > 0 ? '' : '(sem texto)'), ...refused].filter(Boolean).join('\n\n')
    const spokenAs = (providerId: string, timestamp: number) => ({
      ...{ type: 'message' as const, dedupeKey: providerId, conversationKey, sender },
      message: { providerId, timestamp },
    })
    const first = spokenAs(id, mail.timestamp)
    const data = { mail: dataOf(mail, html !== null) }
    const body = text || '(só anexos)'
    return [
      { ...first, message: { ...first.message, type: 'text', body, data, ...(html === null ? {} : { html }) } },
      ...files.flatMap((file, index) => {
        if ('refused' in file) return []
        const part = spokenAs(`${id}/${index + 1}`, mail.timestamp + index + 1)
        const type = typeOfMime(file.mime)
        return [{ ...part, message: { ...part.message, type, body: '', fileId: file.id } }]
      }),
    ]
  }

  async function stored({ name, bytes }: MailFile) {
    const file = await ledger.store({ name, bytes, maxBytes: MOST_FILE, acceptsPrograms: true })
    return file ?? { refused: notTaken(name) }
  }

  return {
    /** Returns the events of each mail, in order; for known mails only their proofs of sending. */
    async of(mails: readonly ReadMail[]): Promise<LinkEvent[][]> {
      const known = await lookUp(mails)
      const events: LinkEvent[][] = []
      for (const mail of mails) events.push(await eventsOf(mail, known))
      return events
    },
  }
}

/** Returns the provider id of a mail; null if it is already known. */
function idOf({ id, mark }: ReadMail, known: ReadonlyMap<string, Known>): string | null {
  const same = known.get(id)
  if (!same) return id
  if (same.mark === null || same.mark === mark) return null
  const other = withMark(id, mark)
  return known.has(other) ? null : other
}

/** Returns proofs of sending for our mails without a response that a mail answers or that are in the mailbox. */
function proofsIn(ids: readonly string[], known: ReadonlyMap<string, Known>, timestamp: number): ProviderEvent[] {
  return ids.flatMap((id) => {
    const { unanswered, conversationKey } = known.get(id) ?? {}
    return unanswered && conversationKey ? [sentProof(unanswered, id, conversationKey, timestamp)] : []
  })
}

/** Returns the receipt that a message whose response was lost was sent. */
export const sentProof = (
  messageId: string,
  providerId: string,
  conversationKey: string,
  timestamp: number,
): ProviderEvent => ({
  ...{ type: 'receipt', dedupeKey: `sent ${messageId}`, conversationKey, providerId, messageId, timestamp },
  status: 'sent',
})

/** Returns the events of a server's notice about a mail of ours; `name`: its Message-ID, if no response ever gave one. */
function bouncedOf(mail: ReadMail, bounce: Bounce, known: Known, name: string): LinkEvent[] {
  const { action, reason: text, providerText } = bounce
  if (known.elsewhere === null) return [receiptOf(mail, bounce, known, name)]
  return continuationOf(
    mail,
    known,
    action === 'delivered' ? { status: 'sent' } : { status: 'failed', text, providerText },
  )
}

/** Returns the result of a mail that continued a conversation of another connection. */
function continuationOf(
  { id, timestamp }: ReadMail,
  { conversationKey, messageId, elsewhere }: Known,
  news: Pick<ContinuationNews, 'status' | 'text' | 'providerText'>,
): LinkEvent[] {
  if (messageId === null || elsewhere === null) return []
  const about = { type: 'continuation' as const, conversationKey, mailId: messageId, timestamp, elsewhere }
  return [{ ...about, dedupeKey: `${news.status} ${id}`, ...news }]
}

function receiptOf(
  { id, timestamp }: ReadMail,
  { action, reason, providerText }: Bounce,
  { conversationKey, providerId, messageId }: Known,
  name: string,
): ProviderEvent {
  const of = { type: 'receipt' as const, dedupeKey: id, conversationKey, timestamp }
  const about = { ...of, ...(messageId === null ? {} : { messageId }), providerId: providerId ?? name }
  if (action === 'delivered') return { ...about, status: 'delivered' }
  return { ...about, status: 'failed', error: reason, providerText }
}

const knownAs = ({ id, conversationKey, mark, elsewhere }: Recent): Known => ({
  ...{ conversationKey, providerId: id, mark, unanswered: null, messageId: null, elsewhere },
})

const senderOf = ({ from: { name, address } }: ReadMail) => ({
  identity: address,
  name: name || address,
  email: address,
})

function dataOf({ subject, from, to, cc, replyTo, quoted, isAutomatic, mark }: ReadMail, hasHtml: boolean): Mail {
  return {
    ...{ subject, from, to, cc, mark },
    ...(replyTo.length > 0 ? { replyTo } : {}),
    ...(quoted ? { quoted } : {}),
    ...(hasHtml ? { hasHtml } : {}),
    ...(isAutomatic ? { isAutomatic } : {}),
  }
}
