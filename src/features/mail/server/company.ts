import type { Mail, MailOutcome } from '#providers/mail/port.ts'
import type { Queryable } from '#server/db/db.ts'
import type { Platform } from '#server/platform.ts'
import { deliver } from './deliver.ts'
import { findMail } from './queries.ts'
import { parseMail } from './settings.ts'

/** The address by which a company's own mail server sends; null where it has none, or has switched it off. */
export async function companyAddress(db: Queryable): Promise<string | null> {
  const stored = parseMail(await findMail(db))
  return stored?.smtp === 'enabled' ? stored.emailFrom : null
}

/** Hands a mail to the company's own server, at once and once; null where it has none. Never within a unit of work. */
export async function deliverByCompany(
  platform: Platform,
  tenantId: number,
  mail: Omit<Mail, 'from'>,
): Promise<MailOutcome | null> {
  const stored = parseMail(await platform.db.read(tenantId, findMail))
  return stored?.smtp === 'enabled' ? deliver(platform, tenantId, stored, mail) : null
}
