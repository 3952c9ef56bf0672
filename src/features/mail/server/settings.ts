import type { z } from 'zod'
import { type ProviderValues, startValues } from '#kit/provider.ts'
import type { Installation } from '#server/db/installation.ts'
import type { Platform } from '#server/platform.ts'
import { encryptionAt, settingsWithSecret } from '#server/providers/encryption.ts'
import type { MailSettings } from '../contract.ts'
import { mailConfig, type mailForm } from '../forms.ts'

type Form = z.output<typeof mailForm>

/** Stored mail settings; `sealed` is the encrypted password. */
export type StoredMail = Omit<Form, 'emailPass'> & { readonly sealed: string | null }

/** Owner of mail settings: a company, or the installation. Encrypted values are bound to their owner. */
export type Owner = number | 'installation'
const encryption = (platform: Platform, owner: Owner) =>
  encryptionAt(platform, owner === 'installation' ? 'installation/mail' : `${owner}/settings/mail`)

const { emailPass: _, ...start } = startValues(mailConfig.fields)

const nothing: StoredMail = {
  smtp: 'disabled',
  ...start,
  emailName: '',
  emailFrom: '',
  sealed: null,
}

const password = settingsWithSecret(mailConfig.fields, 'emailPass')

/** Parses a company's stored mail settings. */
export const parseMail = (value: string | null): StoredMail | null => (value ? (JSON.parse(value) as StoredMail) : null)

/** Returns the installation's mail settings. */
export const mailOfInstallation = (installation: Installation): StoredMail | null =>
  (installation['mail'] as StoredMail | undefined) ?? null

/** Serializes mail settings for the screen, without the password. */
export function shownMail(platform: Platform, stored: StoredMail | null, hasFallback: boolean): MailSettings {
  const { sealed, ...rest } = stored ?? nothing
  return { ...rest, hasPassword: sealed !== null, hasFallback, address: publicLink(platform, '/') }
}

/** Returns an absolute URL for a mail, with the host from the configuration, never from a request. */
export function publicLink({ env }: Pick<Platform, 'env'>, path: string): string {
  const host = ['0.0.0.0', '::'].includes(env.HOST) ? 'localhost' : env.HOST
  return `${(env.PUBLIC_URL ?? `http://${host}:${env.PORT}`).replace(/\/$/, '')}${path}`
}

/** Merges a form into the settings; a stored password is kept only for the same server. */
export function changedMail(platform: Platform, owner: Owner, before: StoredMail | null, form: Form): StoredMail {
  const { emailPass: entered, ...rest } = form
  // Unlike other secrets, a password is masked completely: its end is not stored.
  const { sealed } = password.merge(encryption(platform, owner), before, rest, { entered })
  return { ...rest, sealed }
}

/** Returns the provider's values with the decrypted password. */
export const plainMail = (platform: Platform, owner: Owner, stored: StoredMail): ProviderValues =>
  password.plain(encryption(platform, owner), stored)
