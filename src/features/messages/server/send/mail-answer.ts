import { answerSubject, answerTo, type Mail, type MailPerson, mailOf } from '#domain/messages/mail.ts'
import { findConversation } from '#features/ledger/server/messages/index.ts'
import { findTicketAddresses } from '#features/ledger/server/rows/index.ts'
import { fail } from '#kit/errors.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import type { ReadCtx } from '#server/context.ts'

/** Requested subject and recipients of a mail: without `to` the last author, with `toAll` everybody of the last mail. */
export type MailWish = Pick<Mail, 'subject' | 'to' | 'cc' | 'bcc'> & { readonly toAll?: boolean }

type MailTicket = { readonly id: number; readonly channel: string }
type Answer = { readonly subject: string; readonly to: MailPerson[]; readonly cc: MailPerson[] }

/** Returns subject and recipients of a reply in a mail conversation: the last author; `cc` holds the others of that mail. */
export async function mailAnswer({ db }: Pick<ReadCtx, 'db'>, { id, channel }: MailTicket): Promise<Answer> {
  if (!capabilitiesOf(channel).threads) return fail('ERR_CHANNEL_CANNOT')
  const { connectionId, conversationKey, number, config } = await findTicketAddresses(db, id)
  const mails = (await findConversation(db, connectionId, conversationKey)).flatMap(({ fromMe, data }) => {
    const mail = mailOf(data)
    return mail ? [{ fromMe, mail }] : []
  })
  // Every mail address in the connection's settings is one of ours.
  const own = [number, ...Object.values(config as object)].filter((one) => typeof one === 'string' && one.includes('@'))
  const answered = mails.find(({ fromMe }) => !fromMe)?.mail
  const { to, cc } = answered
    ? answerTo(
        answered,
        own.map((one) => one.toLowerCase()),
      )
    : { to: [], cc: [] }
  return { subject: answerSubject(mails.find(({ mail }) => mail.subject !== '')?.mail.subject ?? ''), to, cc }
}

/** Returns a mail with defaults from the conversation. Throws if it has no recipient. */
export async function addressed(
  ctx: Pick<ReadCtx, 'db'>,
  ticket: MailTicket,
  { subject, to, cc, bcc = [], toAll }: MailWish,
): Promise<Pick<Mail, 'subject' | 'to' | 'cc' | 'bcc'>> {
  const answer = await mailAnswer(ctx, ticket)
  const receivers = to.length > 0 ? to : answer.to
  if (receivers.length === 0) fail('ERR_VALIDATION', { mail: 'Informe para quem vai o e-mail.' })
  return { subject: subject || answer.subject, to: receivers, cc: toAll ? [...answer.cc, ...cc] : cc, bcc }
}
