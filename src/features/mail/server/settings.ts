import type { z } from 'zod'
import { fail } from '#kit/errors.ts'
import type { MailServer } from '#providers/mail/port.ts'
import type { Installation } from '#server/db/installation.ts'
import type { Platform } from '#server/platform.ts'
import type { MailSettings } from '../contract.ts'
import type { mailForm } from '../forms.ts'

type Form = z.output<typeof mailForm>

/** Settings as they are kept; `sealed` is the encrypted password. */
export type StoredMail = Omit<Form, 'emailPass'> & { readonly sealed: string | null }

/** Whose settings: a company's, or the installation's. What is encrypted for one cannot be read for another. */
export type Owner = number | 'installation'
const placeOf = (owner: Owner): string => (owner === 'installation' ? 'installation/mail' : `${owner}/settings/mail`)

const nothing: StoredMail = {
  smtp: 'disabled',
  emailHost: '',
  emailPort: 587,
  emailSecure: 'starttls',
  emailUser: '',
  emailName: '',
  emailFrom: '',
  sealed: null,
}

/** A company's settings from the text that is kept. */
export const parseMail = (value: string | null): StoredMail | null => (value ? (JSON.parse(value) as StoredMail) : null)

/** The installation's settings. */
export const mailOfInstallation = (installation: Installation): StoredMail | null =>
  (installation['mail'] as StoredMail | undefined) ?? null

/** Settings as a screen may see them. */
export function shownMail(platform: Platform, stored: StoredMail | null, hasFallback: boolean): MailSettings {
  const { sealed, ...rest } = stored ?? nothing
  return { ...rest, hasPassword: sealed !== null, hasFallback, address: publicLink(platform, '/') }
}

/** An address of ours as a mail may carry it: from the configuration, never from what a request says of its host. */
export function publicLink({ env }: Pick<Platform, 'env'>, path: string): string {
  const host = ['0.0.0.0', '::'].includes(env.HOST) ? 'localhost' : env.HOST
  return `${(env.PUBLIC_URL ?? `http://${host}:${env.PORT}`).replace(/\/$/, '')}${path}`
}

/**
 * What is to be kept of a form. A password goes only where it was meant to go: whoever changes server or user has to
 * know it.
 */
export function changedMail(platform: Platform, owner: Owner, before: StoredMail | null, form: Form): StoredMail {
  const { emailPass, ...rest } = form
  if (emailPass !== undefined)
    return { ...rest, sealed: emailPass ? platform.secrets.encrypt(emailPass, placeOf(owner)) : null }
  const sealed = before?.sealed ?? null
  const isElsewhere = before?.emailHost !== rest.emailHost || before?.emailUser !== rest.emailUser
  const isWeaker = rest.emailSecure === 'none' && before?.emailSecure !== 'none'
  if (sealed && (isElsewhere || isWeaker))
    fail('ERR_VALIDATION', { emailPass: 'Informe a senha de novo: o servidor, o usuário ou a segurança mudou.' })
  return { ...rest, sealed }
}

/** The server behind settings, with the password in the clear. */
export const serverOf = ({ secrets }: Platform, owner: Owner, stored: StoredMail): MailServer => ({
  host: stored.emailHost,
  port: stored.emailPort,
  security: stored.emailSecure,
  user: stored.emailUser,
  password: stored.sealed ? secrets.decrypt(stored.sealed, placeOf(owner)) : '',
})
