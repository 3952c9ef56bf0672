import {
  forwardSubject,
  type Mail,
  type MailDraft,
  MOST_RECEIVERS,
  mailOf,
  peopleTyped,
  typedPeople,
} from '#domain/messages/mail.ts'
import { shownText } from '#domain/messages/signature.ts'
import { firstOf } from '#domain/present.ts'
import type { MessageRow } from '#features/ledger/message-rows.ts'
import { formatDateTime } from '#web/format.ts'
import { t } from '#web/t.ts'

/** Unchanged mail draft: replies to the last writer. */
export const untouched: MailDraft = { mode: 'reply', subject: '', to: '', cc: '', bcc: '' }

type Receivers = 'to' | 'cc' | 'bcc'
/** Maximum number of files of a received mail; each is a message of its own, a millisecond after the one before. */
const MOST_FILES = 100
const FIELDS: readonly Receivers[] = ['to', 'cc', 'bcc']

/** Returns the errors of a mail's receivers, by field. */
export function problemsOf(draft: MailDraft): { readonly [F in Receivers]?: string } {
  const found = FIELDS.flatMap((field) => {
    const { people, wrong } = peopleTyped(draft[field])
    if (wrong.length > 0) return [[field, t('“{text}” não é um e-mail válido.', { text: firstOf(wrong) })]]
    if (people.length > MOST_RECEIVERS) return [[field, t('No máximo {most} destinatários.', { most: MOST_RECEIVERS })]]
    const isMissing = field === 'to' && draft.mode === 'own' && people.length === 0
    return isMissing ? [[field, t('Informe para quem vai o e-mail.')]] : []
  })
  return Object.fromEntries(found)
}

/** Serialises subject and receivers of a mail for the send form; undefined where a field has an error. */
export function wishOf(draft: MailDraft): string | undefined {
  if (Object.keys(problemsOf(draft)).length > 0) return undefined
  const [to, cc, bcc] = FIELDS.map((field) => peopleTyped(draft[field]).people)
  const { mode, subject } = draft
  return JSON.stringify({ subject: subject.trim(), to: mode === 'own' ? to : [], cc, bcc, toAll: mode === 'all' })
}

/** Returns the draft fields to restore when a mail returns to the composer; empty for other messages. */
export function draftOf(data: MessageRow['data']): { mail?: MailDraft } {
  const mail = mailOf(data)
  if (!mail) return {}
  const { subject, to, cc, bcc = [] } = mail
  return { mail: { mode: 'own', subject, to: typedPeople(to), cc: typedPeople(cc), bcc: typedPeople(bcc) } }
}

/** Returns a mail and its files as messages to forward, without recipients. Its files are the messages right after it. */
export function forwarded(message: MessageRow, thread: readonly MessageRow[]): MessageRow[] {
  const isOfIt = ({ timestamp, fromMe, file }: MessageRow) =>
    file !== null && !fromMe && timestamp > message.timestamp && timestamp <= message.timestamp + MOST_FILES
  const files = message.fromMe || !mailOf(message.data) ? [] : thread.filter(isOfIt)
  return [passedOn(message), ...files.map((file) => ({ ...file, body: '', data: null }))]
}

function passedOn(message: MessageRow): MessageRow {
  const { from, to, subject = '' }: Partial<Mail> = mailOf(message.data) ?? {}
  const rows = [
    `---------- ${t('Mensagem encaminhada')} ----------`,
    ...(from ? [`${t('De')}: ${typedPeople([from])}`] : []),
    `${t('Data')}: ${formatDateTime(message.timestamp)}`,
    ...(subject ? [`${t('Assunto')}: ${subject}`] : []),
    ...(to && to.length > 0 ? [`${t('Para')}: ${typedPeople(to)}`] : []),
  ]
  const { quoted = '' } = mailOf(message.data) ?? {}
  const body = [rows.join('\n'), shownText(message), quoted].filter(Boolean).join('\n\n')
  return { ...message, body: `\n\n${body}`, data: { mail: { subject: forwardSubject(subject), to: [], cc: [] } } }
}
