import { adapterOf, answerWithin, stopConnection } from '#features/ledger/server/ports/index.ts'
import { companyAddress, deliverByCompany } from '#features/mail/server/index.ts'
import { type ContinuationMail, isSendFailure, sendFailure } from '#providers/channels/port.ts'
import type { MailRefused } from '#providers/mail/port.ts'
import type { Queryable } from '#server/db/db.ts'
import type { Platform } from '#server/platform.ts'
import type { WebchatMailer } from '../contract.ts'
import { findMailbox } from './queries-mail.ts'

/** By what a company's answers go by mail; without a mailbox nothing that is answered comes back. */
export type Mailer = WebchatMailer & { readonly mailboxId: number | null }

const SEND_MS = 180_000

/** A mailbox of the company that is connected, whose answers come in; else its own mail server; null where it has neither. */
export async function mailerOf(db: Queryable): Promise<Mailer | null> {
  const mailbox = await findMailbox(db)
  if (mailbox) return { address: mailbox.address, takesAnswers: true, mailboxId: mailbox.id }
  const address = await companyAddress(db)
  return address === null ? null : { address, takesAnswers: false, mailboxId: null }
}

/** Hands a mail over, outside of any unit of work. Fails as a send does, and stops what a send would stop. */
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
  // Nothing comes in by it that could be followed.
  const outcome = await deliverByCompany(platform, tenantId, { id, to, subject, text })
  if (!outcome) throw sendFailure('unreachable', 'A empresa não tem mais um servidor de e-mail.')
  if (!outcome.ok) throw sendFailure(kindOf(outcome), outcome.text)
}

/** Whether a mail that a server did not take may have left, never will, or waits for the server. */
function kindOf({ problem, status, hasLeft }: MailRefused): 'unknown' | 'refused' | 'unreachable' {
  if (hasLeft && status === null) return 'unknown'
  // A password that is tried over and over locks the account.
  if (problem === 'login') return status !== null && status < 500 ? 'unreachable' : 'refused'
  return (problem === 'recipient' || problem === 'other') && status !== null && status >= 500
    ? 'refused'
    : 'unreachable'
}
