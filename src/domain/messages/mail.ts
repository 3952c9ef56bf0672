/** Somebody in the header of a mail; the name is empty where there is none. */
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
  /** It has a formatted text, which is asked for by itself. */
  readonly hasHtml?: true
  /** A machine wrote it, or it came by a list: it never gets an automatic answer. */
  readonly isAutomatic?: true
  /** What tells it from another mail with the same Message-ID. */
  readonly mark?: string
}

/** The `data` of a message that is a mail. */
export type MailData = { readonly mail: Mail }

/** The mail in a message's `data`; null where there is none. */
export function mailOf(data: unknown): Mail | null {
  const { mail = null } = (data ?? {}) as { readonly mail?: Partial<Mail> | null }
  return typeof mail?.subject === 'string' ? (mail as Mail) : null
}

/** What stands before the subject of an answer or of what is passed on, in the languages of common programs. */
const PREFIX = /^\s*(?:re|res|aw|sv|antw|rif|enc|fw|fwd|rv|tr|wg|vs|doorst)(?:\[\d+\]|\(\d+\)|\^\d+)?\s*[:：]\s*/i
const ANSWER = /^\s*(?:re|res|aw|sv|antw|rif)(?:\[\d+\]|\(\d+\)|\^\d+)?\s*[:：]/i

/** A subject without what programs put before it, however often. */
export function bareSubject(subject: string): string {
  let bare = subject.replace(/\s+/g, ' ').trim()
  while (PREFIX.test(bare)) bare = bare.replace(PREFIX, '')
  return bare.trim()
}

/** Whether a subject says that its mail is an answer. */
export const isAnswer = (subject: string): boolean => ANSWER.test(subject)

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
