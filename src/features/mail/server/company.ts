import type { Mail, MailOutcome } from '#providers/mail/port.ts'
import type { Queryable } from '#server/db/db.ts'
import type { Platform } from '#server/platform.ts'
import { deliver } from './deliver.ts'
import { findMail } from './queries.ts'
import { parseMail } from './settings.ts'

/** Returns the sender address of the company's own mail server; null if absent or off. */
export async function companyAddress(db: Queryable): Promise<string | null> {
  const stored = parseMail(await findMail(db))
  return stored?.smtp === 'enabled' ? stored.emailFrom : null
}

/**
 * Sends a mail by the company's own server, at once and without retries; null if it has none. Must not be called within a
 * transaction.
 */
export async function deliverByCompany(
  platform: Platform,
  tenantId: number,
  mail: Omit<Mail, 'from'>,
): Promise<MailOutcome | null> {
  const stored = parseMail(await platform.db.read(tenantId, findMail))
  return stored?.smtp === 'enabled' ? deliver(platform, tenantId, stored, mail) : null
}
