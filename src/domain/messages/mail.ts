import { isRecord } from '../keys.ts'
import { itemAt } from '../present.ts'
import { withoutEnds } from '../text.ts'

/** Person in a mail's header; the name is '' if absent. */
export type MailPerson = { readonly name: string; readonly address: string }

/** Content of a mail beside its text. */
export type Mail = {
  readonly subject: string
  readonly from?: MailPerson
  readonly to: readonly MailPerson[]
  readonly cc: readonly MailPerson[]
  readonly bcc?: readonly MailPerson[]
  /** Reply addresses, if different from `from`. */
  readonly replyTo?: readonly MailPerson[]
  /** Quoted text of earlier mails, below the mail's own text. */
  readonly quoted?: string
  /** Whether the mail has an HTML part, which is loaded separately. */
  readonly hasHtml?: true
  /** Whether the mail is automatic or from a mailing list, and therefore gets no automatic answer. */
  readonly isAutomatic?: true
  /** Value that distinguishes mails with the same Message-ID. */
  readonly mark?: string
}

/** `data` of a message that is a mail. */
export type MailData = { readonly mail: Mail }

/** Returns the mail in a message's `data`; null if none. */
export function mailOf(data: unknown): Mail | null {
  const mail = isRecord(data) ? data['mail'] : null
  return isMail(mail) ? mail : null
}

const isMail = (value: unknown): value is Mail => isRecord(value) && typeof value['subject'] === 'string'

/** Subject prefixes of answers and forwards in the languages of common programs. */
const PREFIXES = /^(?: ?(?:re|res|aw|sv|antw|rif|enc|fw|fwd|rv|tr|wg|vs|doorst)(?:\[\d+\]|\(\d+\)|\^\d+)? ?[:：])+/i
const ANSWER = /^\s*(?:re|res|aw|sv|antw|rif)(?:\[\d+\]|\(\d+\)|\^\d+)?\s*[:：]/i

/** Removes all answer and forward prefixes from a subject. */
export const bareSubject = (subject: string): string => subject.replace(/\s+/g, ' ').trim().replace(PREFIXES, '').trim()

/** Whether a subject says that its mail is an answer. */
export const isAnswer = (subject: string): boolean => ANSWER.test(subject)

/** Returns the subject of a forwarded mail. */
export const forwardSubject = (subject: string): string => `Enc: ${bareSubject(subject)}`.trim()

/** Returns the subject of an answer to a mail. */
export const answerSubject = (subject: string): string => `Re: ${bareSubject(subject)}`.trim()

/** Returns the recipients of an answer and, for reply all, the copies; `own` are our addresses in lower case. */
export function answerTo(mail: Mail, own: readonly string[]): { to: MailPerson[]; cc: MailPerson[] } {
  const { replyTo = [], from } = mail
  const elsewhere = replyTo.filter(({ address }) => !own.includes(address))
  const to = unique(elsewhere.length > 0 ? elsewhere : from ? [from] : [], [])
  const known = [...own, ...to.map(({ address }) => address)]
  return { to, cc: unique([...mail.to, ...mail.cc], known) }
}

function unique(people: readonly MailPerson[], without: readonly string[]): MailPerson[] {
  const seen = new Set(without)
  return people.filter(({ address }) => !seen.has(address) && seen.add(address))
}

/** Returns why a mail gets no automatic answer, to avoid loops between machines; null if it may. */
export const whyNoAutomatic = (answered: Mail | null): string | null =>
  answered?.isAutomatic ? 'A e-mails automáticos e de listas não se responde automaticamente.' : null

/** Pattern of a valid e-mail address. */
export const MAIL_ADDRESS = /^[^\s@<>()",;:\\]+@[^\s@<>()",;:\\][^\s@<>()",;:\\.]*\.[^\s@<>()",;:\\]+$/
/** Maximum number of recipients in one field of a mail. */
export const MOST_RECEIVERS = 50

/** Recipients of a mail draft: `reply` to the last author, `all` to everyone of that mail, `own` to those in `to`, as typed. */
export type MailDraft = {
  readonly mode: 'reply' | 'all' | 'own'
  readonly subject: string
  readonly to: string
  readonly cc: string
  readonly bcc: string
}

/**
 * Parses typed recipients, separated by commas, semicolons or lines: `Ana <ana@loja.com>, bia@loja.com`; invalid ones
 * are returned separately.
 */
export function peopleTyped(text: string): { people: MailPerson[]; wrong: string[] } {
  const read = partsTyped(text).map((part) => {
    const start = part.endsWith('>') ? part.lastIndexOf('<') : -1
    const inside = part.slice(start + 1, -1)
    const [name, address] = start < 0 || inside.includes('>') ? ['', part] : [part.slice(0, start), inside]
    return { name: withoutEnds(name, /["'\s]/).slice(0, 120), address: address.trim().toLowerCase(), part }
  })
  const isRight = ({ address }: MailPerson) => address.length <= 254 && MAIL_ADDRESS.test(address)
  const people = read.filter(isRight).map(({ name, address }) => ({ name, address }))
  return { people: unique(people, []), wrong: read.filter((one) => !isRight(one)).map(({ part }) => part) }
}

/** Splits text at commas, semicolons and line ends, except within quotes; an unpaired quote is a normal character. */
function partsTyped(text: string): string[] {
  const parts: string[] = []
  let start = 0
  for (let at = 0; at < text.length; at++) {
    const end = text[at] === '"' ? text.indexOf('"', at + 1) : -1
    if (end >= 0) at = end
    else if (/[,;\n]/.test(itemAt(text, at))) {
      parts.push(text.slice(start, at))
      start = at + 1
    }
  }
  return [...parts, text.slice(start)].map((one) => one.trim()).filter(Boolean)
}

/** Formats recipients as they would be typed. */
export const typedPeople = (people: readonly MailPerson[]): string =>
  people
    .map(({ name, address }) =>
      name ? `${/[,;"<>]/.test(name) ? `"${name.replaceAll('"', "'")}"` : name} <${address}>` : address,
    )
    .join(', ')
