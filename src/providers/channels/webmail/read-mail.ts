import { isUtf8 } from 'node:buffer'
import PostalMime, { type Attachment, type Email } from 'postal-mime'
import { isAnswer, type MailPerson } from '#domain/messages/mail.ts'
import { cleanText } from '#domain/text.ts'
import { addressIn, peopleIn } from './addresses.ts'
import { isAutomatic, isForm } from './automatic.ts'
import { type Bounce, bounceIn } from './bounce.ts'
import { inItsEncoding, isBroken, repaired } from './charsets.ts'
import { idOfBytes, idsIn, markOf, parentsOf } from './ids.ts'
import { textOfInvitation } from './invitation.ts'
import { textOfHtml } from './plain-text.ts'
import { foldQuotes } from './quotes.ts'
import { isWinmail, unwrap } from './winmail.ts'

/** File of a mail; `cid`: its name in the HTML, null if not shown there. */
export type MailFile = {
  readonly name: string
  readonly mime: string
  readonly bytes: Uint8Array
  readonly cid: string | null
}

/** Parsed mail; nothing of it is sanitized yet. */
export type ReadMail = {
  /** Message-ID with brackets, or one derived from its bytes. */
  readonly id: string
  /** Hash that distinguishes it from another mail with the same id. */
  readonly mark: string
  readonly parents: readonly string[]
  /** Epoch ms. */
  readonly timestamp: number
  /** Time of writing that the mail states (epoch ms); null if missing. */
  readonly writtenAt: number | null
  /** Author; for a mail of a site's form, the person whom it names for the answer. */
  readonly from: MailPerson
  readonly replyTo: readonly MailPerson[]
  readonly to: readonly MailPerson[]
  readonly cc: readonly MailPerson[]
  readonly subject: string
  readonly text: string
  readonly quoted: string
  /** Raw HTML; never sent to a browser. */
  readonly html: string | null
  readonly files: readonly MailFile[]
  readonly isAutomatic: boolean
  readonly bounce: Bounce | null
}

/** Author of a mail that names none. */
export const NOBODY: MailPerson = { name: 'Remetente desconhecido', address: 'desconhecido@invalid' }

const MOST_HEADER = 100_000
const MOST_SUBJECT = 300
const MOST_TEXT = 60_000
const MOST_QUOTED = 20_000
/** Maximum length of a text with its quotation, in characters, and number of files that are searched for in it. */
const MOST_WHOLE = 200_000
const MOST_SHOWN = 200
/** Maximum difference between a mail's own date and its arrival, in ms. */
const MOST_DRIFT_MS = 7 * 86_400_000

/**
 * Parses the bytes of a mail; `receivedAt`: time of arrival (epoch ms), `own`: our addresses in lower case. A broken mail is
 * read as far as possible.
 */
export const readMail = (given: Uint8Array, about: Reading): Promise<ReadMail> =>
  readWhole(given, about).catch(() => unread(given, about))

type Reading = { readonly receivedAt: number; readonly own: readonly string[] }

/** Returns a placeholder for an unreadable mail, so that later mails are still processed. */
const unread = (source: Uint8Array, { receivedAt }: Reading): ReadMail => ({
  ...{ id: idOfBytes(source), mark: '', parents: [], timestamp: receivedAt, writtenAt: null },
  ...{ from: NOBODY, replyTo: [], to: [], cc: [], subject: '', text: UNREADABLE, quoted: '' },
  ...{ html: null, files: [], isAutomatic: true, bounce: null },
})

async function readWhole(given: Uint8Array, { receivedAt, own }: Reading): Promise<ReadMail> {
  const source = withinRows(given)
  const email = await parse(source)
  const headers = new Map(email.headers.toReversed().map(({ key, value }) => [key, value]))
  const subject = oneRow(email.subject ?? '').slice(0, MOST_SUBJECT)
  const author = peopleIn(email.from)[0] ?? peopleIn(email.sender)[0] ?? fromPath(email.returnPath) ?? NOBODY
  const replyTo = peopleIn(email.replyTo)
  const elsewhere = replyTo.find(({ address }) => !own.includes(address))
  const from =
    elsewhere && isForm(headers, { author: author.address, answer: elsewhere.address, own }) ? elsewhere : author
  const { files, extra } = filesOf(email)
  const whole = [extra, email.text?.trim() ? email.text : textOfHtml(email.html ?? '')].filter(Boolean).join('\n\n')
  const parents = parentsOf(email.inReplyTo, email.references)
  const { text, quoted } = foldQuotes(whole.slice(0, MOST_WHOLE), parents.length > 0 || isAnswer(subject))
  const bounce = bounceIn(email, source)
  return {
    id: idsIn(email.messageId)[0] ?? idOfBytes(source),
    mark: markOf(author.address, email.date ?? '', subject),
    parents,
    ...{ timestamp: timeOf(email.date, receivedAt), writtenAt: Date.parse(email.date ?? '') || null },
    ...{ from, replyTo, to: peopleIn(email.to), cc: peopleIn(email.cc), subject },
    text: cleanText(text).slice(0, MOST_TEXT),
    quoted: cleanText(quoted).slice(0, MOST_QUOTED),
    html: email.html?.trim() ? cleanText(email.html) : null,
    ...{ files, bounce },
    isAutomatic: bounce !== null || isAutomatic(headers, { from: from.address, subject, own }),
  }
}

/** Maximum number of lines of a mail; parsing time grows with lines, and encoded files have few long ones. */
const FEW_ROWS = 50_000
const LETTERS_PER_ROW = 50

/** Returns a mail's bytes up to the maximum number of lines. */
function withinRows(source: Uint8Array): Uint8Array {
  const most = FEW_ROWS + source.length / LETTERS_PER_ROW
  let end = 0
  for (let row = 0; row < most; row++) {
    end = source.indexOf(10, end) + 1
    if (end === 0) return source
  }
  return source.subarray(0, end)
}

const OPTIONS = { attachmentEncoding: 'arraybuffer', maxNestingDepth: 100 } as const

/** Parses a mail; with a wrong charset it is read as Western, and an unparsable one by its headers with a placeholder text. */
async function parse(source: Uint8Array): Promise<Email> {
  const email = await PostalMime.parse(source, OPTIONS).catch(() => null)
  if (email === null) return { ...(await PostalMime.parse(headerOf(source), OPTIONS)), text: UNREADABLE }
  const read = inItsEncoding(email, source)
  if (isUtf8(source) || !isBroken(read)) return read
  const other = await PostalMime.parse(asUtf8(source), OPTIONS).catch(() => read)
  return repaired(read, other)
}

const UNREADABLE = '[Este e-mail não pôde ser lido aqui. Abra-o no programa de e-mail.]'

/** Returns the headers of a mail alone, up to a limit, without those about its parts. */
function headerOf(source: Uint8Array): Uint8Array {
  const [header = ''] = Buffer.from(source.subarray(0, MOST_HEADER))
    .toString('latin1')
    .split(/\r?\n\r?\n/, 1)
  return Buffer.from(`${header.replace(/^content-/gim, 'x-content-')}\r\n\r\n`, 'latin1')
}

/** Converts lines that are no UTF-8 from Western to UTF-8. */
function asUtf8(source: Uint8Array): Uint8Array {
  const western = new TextDecoder('windows-1252')
  const rows: Uint8Array[] = []
  for (let at = 0; at < source.length; ) {
    const end = source.indexOf(10, at) + 1 || source.length
    const row = source.subarray(at, end)
    rows.push(isUtf8(row) ? row : Buffer.from(western.decode(row), 'utf8'))
    at = end
  }
  return Buffer.concat(rows)
}

const oneRow = (text: string): string =>
  cleanText(text)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()

const fromPath = (path: string | undefined): MailPerson | null => {
  const address = addressIn(path)
  return address ? { name: '', address } : null
}

function timeOf(date: string | undefined, receivedAt: number): number {
  const at = Date.parse(date ?? '')
  return Number.isFinite(at) && Math.abs(at - receivedAt) <= MOST_DRIFT_MS ? Math.min(at, receivedAt) : receivedAt
}

/** Returns the files of a mail, including those wrapped by Outlook, and the text of invitations and wrapped texts. */
function filesOf(email: Email): { files: MailFile[]; extra: string } {
  const files: MailFile[] = []
  const extra = new Set<string>()
  for (const attachment of email.attachments) {
    const bytes = bytesOf(attachment)
    const name = attachment.filename ?? nameOf(attachment)
    const wrapped = isWinmail(name, attachment.mimeType) ? unwrap(bytes) : null
    if (wrapped) {
      files.push(...wrapped.files.map((one) => ({ ...one, mime: 'application/octet-stream', cid: null })))
      if (wrapped.text.trim() && !email.text?.trim() && !email.html?.trim()) extra.add(wrapped.text.trim())
      continue
    }
    if (attachment.mimeType === 'text/calendar') {
      const invitation = textOfInvitation(new TextDecoder().decode(bytes))
      if (invitation) extra.add(invitation)
    }
    const cid = attachment.contentId?.replace(/^<|>$/g, '') ?? ''
    const isShown = cid !== '' && files.length < MOST_SHOWN && (email.html?.includes(`cid:${cid}`) ?? false)
    files.push({ name, mime: attachment.mimeType, bytes, cid: isShown ? cid : null })
  }
  return { files: uniqueCalendars(files), extra: [...extra].join('\n\n') }
}

// Programs include an invitation twice: as an alternative of the text, and as a file.
function uniqueCalendars(files: readonly MailFile[]): MailFile[] {
  const seen = new Set<string>()
  return files.filter(({ mime, bytes }) => {
    if (mime !== 'text/calendar') return true
    const content = Buffer.from(bytes).toString('latin1')
    const isNew = !seen.has(content)
    seen.add(content)
    return isNew
  })
}

const bytesOf = ({ content }: Attachment): Uint8Array =>
  typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content)

const NAMES: Readonly<Record<string, string>> = {
  'text/calendar': 'convite.ics',
  'message/rfc822': 'mensagem.eml',
  'image/jpeg': 'imagem.jpg',
  'image/png': 'imagem.png',
  'image/gif': 'imagem.gif',
  'application/pdf': 'documento.pdf',
}
const nameOf = ({ mimeType }: Attachment): string => NAMES[mimeType] ?? 'anexo'
