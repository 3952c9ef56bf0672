import { buffer } from 'node:stream/consumers'
import { answerSubject, answerTo, type Mail, type MailPerson, mailOf } from '#domain/messages/mail.ts'
import { firstOf } from '#domain/present.ts'
import { type ChannelTools, type ContinuationMail, type LedgerMessage, type Outbound, sendFailure } from '../port.ts'
import type { MailAccount } from './account.ts'
import { htmlOf } from './formatted-text.ts'
import { ownIdOf, withMark } from './ids.ts'

/** Maximum number of references of an answer: the first id of the conversation, and the latest ones. */
const MOST_REFERENCES = 20

/** Recipients and headers of a mail. */
export type Envelope = {
  readonly id: string
  readonly subject: string
  readonly to: readonly MailPerson[]
  readonly cc: readonly MailPerson[]
  readonly bcc: readonly MailPerson[]
  readonly inReplyTo: string | null
  readonly references: readonly string[]
}

/** Bytes of a mail as it is sent, and as it is stored in the Sent folder, with bcc. */
type Composed = { readonly bytes: Buffer; readonly copy: Buffer }

/**
 * Returns the envelope of a message: its recipients as chosen by the author, else the last sender; `before`: earlier
 * messages of the conversation, newest first. Fails as refused if there is no recipient.
 */
export function envelopeOf(message: Outbound, before: readonly LedgerMessage[], account: MailAccount): Envelope {
  const mails = before.map((one) => ({ ...one, mail: mailOf(one.data) }))
  const asked: Partial<Mail> = mailOf(message.data) ?? {}
  const answered = mails.find(({ fromMe, mail }) => !fromMe && mail)?.mail
  const { to } = answered ? answerTo(answered, account.own) : { to: [] }
  // An automatic mail goes to one reply address only, even if the sender names several.
  const named = message.isAutomatic ? to.slice(0, 1) : to
  const receivers = asked.to && asked.to.length > 0 ? asked.to : named
  if (receivers.every(({ address }) => address.endsWith('@invalid')))
    throw sendFailure('refused', 'O e-mail recebido não diz a quem responder.')
  const ids = mails.toReversed().flatMap((one) => headerIdOf(one) ?? [])
  const chain = ids.length > MOST_REFERENCES ? [firstOf(ids), ...ids.slice(1 - MOST_REFERENCES)] : ids
  const subject = mails.find(({ mail }) => mail && mail.subject !== '')?.mail?.subject ?? ''
  return {
    id: ownIdOf(message.messageId, account.from),
    subject: asked.subject || answerSubject(subject),
    ...{ to: receivers, cc: asked.cc ?? [], bcc: asked.bcc ?? [] },
    ...{ inReplyTo: chain.at(-1) ?? null, references: chain },
  }
}

/** Returns the envelope of a mail that continues a conversation of another channel. */
export function continuationEnvelope(
  { id, to, subject, references }: ContinuationMail,
  { from }: MailAccount,
): Envelope {
  const named = references.filter((one) => !/@(sem-id|hash)>$/.test(one))
  const chain = named.map((one) => (one.startsWith('<') ? one : ownIdOf(one, from)))
  const people = { to: [{ name: '', address: to }], cc: [], bcc: [] }
  return { ...people, id: ownIdOf(id, from), subject, inReplyTo: chain.at(-1) ?? null, references: chain }
}

/** Returns the Message-ID that others know of a message; null for its files, and for mails that came without one. */
function headerIdOf({ providerId, data }: LedgerMessage): string | null {
  if (!providerId?.endsWith('>') || /@(sem-id|hash)>$/.test(providerId)) return null
  const mark = mailOf(data)?.mark
  if (!mark) return providerId
  const bare = providerId.replace(`+${mark}>`, '>')
  return withMark(bare, mark) === providerId ? bare : providerId
}

/** Composes a mail; automatic ones are marked as such (RFC 3834). */
export async function compose(
  { body, files, isAutomatic }: Pick<Outbound, 'body' | 'isAutomatic'> & Pick<ContinuationMail, 'files'>,
  envelope: Envelope,
  { from, fromName, replyTo, signature }: MailAccount,
  { readFile, now }: Pick<ChannelTools, 'readFile' | 'now'>,
): Promise<Composed> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  const attachments: { filename: string; contentType: string; content: Buffer }[] = []
  for (const { name, mime, path } of files)
    attachments.push({ filename: name, contentType: mime, content: await buffer(readFile(path)) })
  const text = [body, signature && `-- \n${signature}`].filter(Boolean).join('\n\n')
  const mail = {
    messageId: envelope.id,
    date: now(),
    from: { name: fromName, address: from },
    ...(replyTo && replyTo !== from ? { replyTo } : {}),
    ...{ to: [...envelope.to], cc: [...envelope.cc], bcc: [...envelope.bcc], subject: envelope.subject },
    ...(envelope.inReplyTo ? { inReplyTo: envelope.inReplyTo, references: [...envelope.references] } : {}),
    ...{ text, html: htmlOf(body, signature), attachments },
    headers: isAutomatic ? { 'Auto-Submitted': 'auto-replied', 'X-Auto-Response-Suppress': 'All' } : {},
    ...{ disableFileAccess: true, disableUrlAccess: true },
  }
  const built = async (withBcc: boolean) => {
    const node = new MailComposer(mail).compile()
    node.keepBcc = withBcc
    return node.build()
  }
  const bytes = await built(false)
  return { bytes, copy: envelope.bcc.length > 0 ? await built(true) : bytes }
}
