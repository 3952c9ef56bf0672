import type { z } from 'zod'
import { type ProviderValues, startValues } from '#kit/provider.ts'
import { changeInstallation } from '#server/db/installation.ts'
import type { RequestInfo } from '#server/http/route.ts'
import type { Platform } from '#server/platform.ts'
import { encryptionAt, settingsWithSecret } from '#server/providers/encryption.ts'
import { backTo } from '#server/providers/sign-in.ts'
import { identityConfig, type providerForm } from '../forms.ts'

type Form = z.output<typeof providerForm>

const NAME = 'identityProvider'
const encryption = (platform: Platform) => encryptionAt(platform, 'installation/identityProvider')

/** Stored provider settings; `sealed` is the encrypted secret, `hint` its last characters. */
export type ProviderSettings = Omit<Form, 'clientSecret'> & { sealed: string | null; hint: string | null }

const { fields } = identityConfig
const { clientSecret: _, ...start } = startValues(fields)

const first: ProviderSettings = {
  isOn: false,
  label: 'Entrar com Google',
  domains: [],
  ...start,
  sealed: null,
  hint: null,
}

const secret = settingsWithSecret(fields, 'clientSecret')

/** Returns the present provider settings. */
export async function readProvider(platform: Platform): Promise<ProviderSettings> {
  const { [NAME]: stored } = await platform.installation.get('all')
  return { ...first, ...(stored as Partial<ProviderSettings> | undefined) }
}

/** Stores the provider settings; every process reloads them. */
export async function saveProvider(platform: Platform, settings: ProviderSettings): Promise<void> {
  await platform.db.asPlatform((db) => changeInstallation(db, NAME, settings))
  platform.bus.stale('installation all')
}

/** Merges a form into the settings. Active settings must be complete; throws an error per invalid field. */
export function changedProvider(platform: Platform, before: ProviderSettings, form: Form): ProviderSettings {
  const { clientSecret: entered, ...rest } = form
  const { domains: _, ...values } = rest
  return { ...rest, ...secret.merge(encryption(platform), before, values, { entered, isActive: form.isOn }) }
}

/** Returns the provider's values with the decrypted secret. */
export const plainProvider = (platform: Platform, stored: ProviderSettings): ProviderValues =>
  secret.plain(encryption(platform), stored)

/**
 * Returns the redirect URL of the provider (specification §2), which must be registered there exactly. Null for a host that
 * the installation does not know.
 */
export const callbackUrl = (platform: Platform, request: RequestInfo): Promise<string | null> =>
  backTo(platform, request, '/auth/google/callback')
