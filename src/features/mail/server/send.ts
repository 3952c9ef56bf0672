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

/** Mail to one recipient. */
type MailToSend = { readonly to: string; readonly subject: string; readonly template: MailTemplate }

const BOUND_TO = 'jobs/mail'

/**
 * Enqueues a company's mail in the caller's transaction; it is sent after the commit, with five attempts (decision B17).
 * Throws ERR_MAIL_NOT_CONFIGURED if neither the company nor the installation has a mail server. Returns whose server sends
 * it, which later settings do not change; `only` the installation's, if the company must not be able to read it.
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

/** Enqueues a mail of the installation in a platform transaction; check `canMail` before. */
export async function sendPlatformMail(platform: Platform, db: Tx, mail: MailToSend): Promise<void> {
  await addPlatformJob(db, mailJob, payloadOf(platform, mail, 'installation'))
}

/** Whether the installation can send mails. */
export const canMail = (installation: Installation): boolean => chosen(installation, null).settings !== null

/** Returns whose server sends a mail: the company's if active, else the installation's. */
export function chosen(
  installation: Installation,
  own: StoredMail | null,
  tenantId = 0,
): { owner: Owner; settings: StoredMail | null } {
  if (own?.smtp === 'enabled') return { owner: tenantId, settings: own }
  const common = mailOfInstallation(installation)
  return { owner: 'installation', settings: common?.smtp === 'enabled' ? common : null }
}

// The queued mail may contain a link as valuable as a password, so it is encrypted.
function payloadOf({ secrets }: Platform, { to, subject, template }: MailToSend, by: 'company' | 'installation') {
  const mail = { id: uuidv7(), to: withoutLineBreaks(to), subject, ...renderMail(template), by }
  return { sealed: secrets.encrypt(JSON.stringify(mail), BOUND_TO) }
}

/** Job that sends a mail; a failed attempt is reported by its kind only, since the queue stores errors. */
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
