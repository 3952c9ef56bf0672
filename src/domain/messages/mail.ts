import { itemAt } from '../present.ts'
import { withoutEnds } from '../text.ts'
import { isRecord } from './data.ts'

/** A person in a mail's header; the name is '' if absent. */
export type MailPerson = { readonly name: string; readonly address: string }

/** What a mail has beside its text. */
export type Mail = {
  readonly subject: string
  readonly from?: MailPerson
  readonly to: readonly MailPerson[]
  readonly cc: readonly MailPerson[]
  readonly bcc?: readonly MailPerson[]
  /** Where an answer goes, where that is not `from`. */
  readonly replyTo?: readonly MailPerson[]
  /** What it repeats of earlier mails, below its own text. */
  readonly quoted?: string
  /** It has a formatted text, loaded separately. */
  readonly hasHtml?: true
  /** A machine wrote it, or it came by a list: it never gets an automatic answer. */
  readonly isAutomatic?: true
  /** Distinguishes mails with the same Message-ID. */
  readonly mark?: string
}

/** The `data` of a message that is a mail. */
export type MailData = { readonly mail: Mail }

/** The mail in a message's `data`; null where there is none. */
export function mailOf(data: unknown): Mail | null {
  const mail = isRecord(data) ? data['mail'] : null
  return isMail(mail) ? mail : null
}

const isMail = (value: unknown): value is Mail => isRecord(value) && typeof value['subject'] === 'string'

/** Subject prefixes of answers and forwards in the languages of common programs. */
const PREFIXES = /^(?: ?(?:re|res|aw|sv|antw|rif|enc|fw|fwd|rv|tr|wg|vs|doorst)(?:\[\d+\]|\(\d+\)|\^\d+)? ?[:：])+/i
const ANSWER = /^\s*(?:re|res|aw|sv|antw|rif)(?:\[\d+\]|\(\d+\)|\^\d+)?\s*[:：]/i

/** A subject without what programs put before it, however often. */
export const bareSubject = (subject: string): string => subject.replace(/\s+/g, ' ').trim().replace(PREFIXES, '').trim()

/** Whether a subject says that its mail is an answer. */
export const isAnswer = (subject: string): boolean => ANSWER.test(subject)

/** The subject of what is passed on. */
export const forwardSubject = (subject: string): string => `Enc: ${bareSubject(subject)}`.trim()

/** The subject of an answer to a mail. */
export const answerSubject = (subject: string): string => `Re: ${bareSubject(subject)}`.trim()

/** Whom an answer goes to, and who else gets it where it is for all; `own` are our addresses, in small letters. */
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

/** What an e-mail address looks like, wherever one is written. */
export const MAIL_ADDRESS = /^[^\s@<>()",;:\\]+@[^\s@<>()",;:\\][^\s@<>()",;:\\.]*\.[^\s@<>()",;:\\]+$/
/** Most recipients in one field of a mail. */
export const MOST_RECEIVERS = 50

/**
 * Recipients of a draft: `reply` to the last author, `all` to everybody of that mail, `own` to those in `to`, as typed.
 */
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

/** Splits at commas, semicolons and line ends, except within quotes; an unpaired quote is a letter. */
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

/** The same people as they would be typed. */
export const typedPeople = (people: readonly MailPerson[]): string =>
  people
    .map(({ name, address }) =>
      name ? `${/[,;"<>]/.test(name) ? `"${name.replaceAll('"', "'")}"` : name} <${address}>` : address,
    )
    .join(', ')
