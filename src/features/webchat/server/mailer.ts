import { adapterOf, answerWithin, stopConnection } from '#features/ledger/server/ports/index.ts'
import { companyAddress, deliverByCompany } from '#features/mail/server/index.ts'
import { type ContinuationMail, isSendFailure, sendFailure } from '#providers/channels/port.ts'
import type { MailRefused } from '#providers/mail/port.ts'
import type { Queryable } from '#server/db/db.ts'
import type { Platform } from '#server/platform.ts'
import type { WebchatMailer } from '../contract.ts'
import { findMailbox } from './queries-mail.ts'

/** Mail connection for answers to visitors; without a mailbox replies are not received. */
export type Mailer = WebchatMailer & { readonly mailboxId: number | null }

const SEND_MS = 180_000

/** Returns the company's connected mailbox, which receives replies; else its mail server; null without either. */
export async function mailerOf(db: Queryable): Promise<Mailer | null> {
  const mailbox = await findMailbox(db)
  if (mailbox) return { address: mailbox.address, takesAnswers: true, mailboxId: mailbox.id }
  const address = await companyAddress(db)
  return address === null ? null : { address, takesAnswers: false, mailboxId: null }
}

/** Sends a mail outside of any transaction. Throws like a channel's send, and disables what such a send would. */
export async function handOver(
  platform: Platform,
  tenantId: number,
  { mailboxId }: Mailer,
  mail: ContinuationMail,
): Promise<void> {
  if (mailboxId === null) return byCompany(platform, tenantId, mail)
  const since = platform.now()
  const adapter = await adapterOf(platform, tenantId, mailboxId).catch(() => null)
  if (!adapter?.continueByMail) throw sendFailure('unreachable', 'O canal de e-mail não está mais conectado.')
  return answerWithin(SEND_MS, adapter.continueByMail(mail)).catch(async (error: unknown) => {
    const failure = isSendFailure(error) ? error : sendFailure('unknown', 'falha inesperada no e-mail')
    if (failure.stops) await stopConnection(platform, tenantId, mailboxId, failure.stops, since)
    throw failure
  })
}

async function byCompany(platform: Platform, tenantId: number, mail: ContinuationMail): Promise<void> {
  const { id, to, subject, text } = mail
  // No replies are received this way, so that no thread is followed.
  const outcome = await deliverByCompany(platform, tenantId, { id, to, subject, text })
  if (!outcome) throw sendFailure('unreachable', 'A empresa não tem mais um servidor de e-mail.')
  if (!outcome.ok) throw sendFailure(kindOf(outcome), outcome.text)
}

/** Classifies a refused mail: may have been sent, never will be, or waits for the server. */
function kindOf({ problem, status, hasLeft }: MailRefused): 'unknown' | 'refused' | 'unreachable' {
  if (hasLeft && status === null) return 'unknown'
  // Repeated attempts with a wrong password would lock the account.
  if (problem === 'login') return status !== null && status < 500 ? 'unreachable' : 'refused'
  return (problem === 'recipient' || problem === 'other') && status !== null && status >= 500
    ? 'refused'
    : 'unreachable'
}
