import { textFieldIn } from '#domain/keys.ts'
import { answerSubject, type Mail, mailOf } from '#domain/messages/mail.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import type { Outbound } from '#providers/channels/port.ts'
import type { Ctx, ReadCtx } from '#server/context.ts'
import { findLast, findMailboxes, findMessage, findThread } from './queries.ts'
import type { LabMessageRow, PhoneRow } from './rows.ts'

/** Company's mail address in the lab. */
export const COMPANY_ADDRESS = 'empresa@laboratorio.example'

/** Mail of the lab, with its conversation. */
type LabMail = { readonly mail: Mail; readonly thread: string }

/** Whether a phone is a mailbox: its number is an address, and each subject a separate conversation. */
export const isMailbox = ({ type }: Pick<PhoneRow, 'type'>): boolean => capabilitiesOf(type).threads

/** Returns the conversation of a mail. */
export const threadOf = ({ id, data }: Pick<LabMessageRow, 'id' | 'data'>): string =>
  textFieldIn(data, 'thread') || `<${id}@laboratorio.example>`

/** Builds the headers of a mail: an answer to the given mail, else (without a subject) to the newest of the mailbox. */
export async function mailFrom(
  ctx: Pick<ReadCtx, 'db' | 'settings'>,
  { id: phoneId, name, number }: PhoneRow,
  {
    id,
    body,
    subject = '',
    answers,
  }: { id: string; body: string; subject?: string | undefined; answers: string | undefined },
): Promise<LabMail> {
  const before = answers
    ? await findMessage(ctx.db, phoneId, answers)
    : subject
      ? undefined
      : await findLast(ctx.db, phoneId)
  const company = { name: ctx.settings.tenantName, address: COMPANY_ADDRESS }
  const last = mailOf(before?.data)
  const about = subject || (last ? answerSubject(last.subject) : (body.split('\n')[0] ?? '').slice(0, 80))
  const mail = { subject: about, from: { name, address: number }, to: [company], cc: [] }
  return { mail, thread: threadOf(before ?? { id, data: null }) }
}

/**
 * Returns the mailboxes of the lab that a mail of the team goes to, with its headers: the named recipients, else the author
 * of the last mail, which is returned as well.
 */
export async function mailTo(
  ctx: Pick<Ctx, 'db' | 'settings'>,
  { connectionId, conversationKey: thread, data }: Outbound,
): Promise<{ mailboxes: PhoneRow[]; data: LabMail; answered: Mail | null }> {
  const last = await findThread(ctx.db, connectionId, thread)
  const asked = mailOf(data)
  const written = mailOf(last?.data)
  const to = asked?.to.length ? asked.to : written?.from ? [written.from] : []
  const [cc, bcc] = [asked?.cc ?? [], asked?.bcc ?? []]
  const mailboxes = await findMailboxes(
    ctx.db,
    connectionId,
    [...to, ...cc, ...bcc].map(({ address }) => address),
  )
  const from = { name: ctx.settings.tenantName, address: COMPANY_ADDRESS }
  const subject = asked?.subject || answerSubject(written?.subject ?? '')
  return { mailboxes, data: { mail: { subject, from, to, cc }, thread }, answered: written }
}
