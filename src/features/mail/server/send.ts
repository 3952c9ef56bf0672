import { z } from 'zod'
import { fail } from '#kit/errors.ts'
import { withoutLineBreaks } from '#providers/mail/port.ts'
import type { Ctx } from '#server/context.ts'
import type { Tx } from '#server/db/db.ts'
import type { Installation } from '#server/db/installation.ts'
import { addPlatformJob } from '#server/db/platform-jobs.ts'
import { uuidv7 } from '#server/ids.ts'
import { job } from '#server/job.ts'
import type { Platform } from '#server/platform.ts'
import { deliver } from './deliver.ts'
import { findMail } from './queries.ts'
import { type MailTemplate, renderMail } from './render.ts'
import { mailOfInstallation, type Owner, parseMail, type StoredMail } from './settings.ts'

/** A mail to one person. */
type MailToSend = { readonly to: string; readonly subject: string; readonly template: MailTemplate }

const BOUND_TO = 'jobs/mail'

/**
 * Records a mail of a company in the caller's transaction; it leaves after the commit, with five attempts (decision
 * B17). Fails with ERR_MAIL_NOT_CONFIGURED where neither the company nor the installation has a mail server. Answers whose
 * server takes it, whatever is set until it leaves; `only` the installation's is asked for where a company must not be
 * able to read the mail.
 */
export async function sendMail(
  ctx: Pick<Ctx, 'platform' | 'installation' | 'db' | 'enqueue'>,
  mail: MailToSend,
  only?: 'installation',
): Promise<'company' | 'installation'> {
  const { owner, settings } = chosen(ctx.installation, only ? null : parseMail(await findMail(ctx.db)))
  if (!settings) fail('ERR_MAIL_NOT_CONFIGURED')
  const by = owner === 'installation' ? owner : 'company'
  ctx.enqueue(mailJob, payloadOf(ctx.platform, mail, by))
  return by
}

/** The same for a mail of the installation itself, in a transaction of the platform; ask `canMail` before it. */
export async function sendPlatformMail(platform: Platform, db: Tx, mail: MailToSend): Promise<void> {
  await addPlatformJob(db, mailJob, payloadOf(platform, mail, 'installation'))
}

/** Whether the installation can send mails. */
export const canMail = (installation: Installation): boolean => chosen(installation, null).settings !== null

/** Whose server takes a mail: the company's where it is switched on, else the installation's. */
export function chosen(
  installation: Installation,
  own: StoredMail | null,
  tenantId = 0,
): { owner: Owner; settings: StoredMail | null } {
  if (own?.smtp === 'enabled') return { owner: tenantId, settings: own }
  const common = mailOfInstallation(installation)
  return { owner: 'installation', settings: common?.smtp === 'enabled' ? common : null }
}

// What waits in the queue may carry a link that is worth a password, so it waits encrypted.
function payloadOf({ secrets }: Platform, { to, subject, template }: MailToSend, by: 'company' | 'installation') {
  const mail = { id: uuidv7(), to: withoutLineBreaks(to), subject, ...renderMail(template), by }
  return { sealed: secrets.encrypt(JSON.stringify(mail), BOUND_TO) }
}

/** Sends one recorded mail; a failed attempt is told by kind only, because the queue keeps what was thrown. */
export const mailJob = job({
  name: 'mail',
  schema: z.object({ sealed: z.string() }),
  async run(platform, { tenantId, sealed }, { requireOwnership }) {
    const { by, ...mail } = JSON.parse(platform.secrets.decrypt(sealed, BOUND_TO))
    const own = by === 'installation' || tenantId === 0 ? null : parseMail(await platform.db.read(tenantId, findMail))
    const { owner, settings } = chosen(await platform.installation.get('all'), own, tenantId)
    if (!settings) throw new Error('mail: not configured')
    requireOwnership()
    const outcome = await deliver(platform, owner, settings, mail)
    if (!outcome.ok) throw new Error(`mail: ${outcome.problem} ${outcome.status ?? ''}`)
  },
})
