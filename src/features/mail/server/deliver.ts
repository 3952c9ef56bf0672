import { mailAdapters } from '#providers/mail/adapters.ts'
import type { Mail, MailOutcome } from '#providers/mail/port.ts'
import { addressOf, isWithin } from '#server/outbound.ts'
import type { Platform } from '#server/platform.ts'
import { mailConfig } from '../forms.ts'
import { type Owner, plainMail, type StoredMail } from './settings.ts'

const LOOPBACK = ['127.0.0.0/8', '::1']

/**
 * Sends a mail by the provider of the settings (decision B21). A company's server must have a public or permitted address;
 * the installation's may be on this machine.
 */
export function deliver(
  platform: Platform,
  owner: Owner,
  stored: StoredMail,
  mail: Omit<Mail, 'from'>,
): Promise<MailOutcome> {
  const allow = [...platform.env.OUTBOUND_ALLOW, ...(owner === 'installation' ? LOOPBACK : [])]
  const adapter = mailAdapters[mailConfig.id]!(plainMail(platform, owner, stored), {
    addressOf: (host) => addressOf({ allow }, host),
    isNear: (address) => isWithin(address, allow),
  })
  return adapter.send({ ...mail, from: { name: stored.emailName, address: stored.emailFrom } })
}
