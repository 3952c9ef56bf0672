import type { z } from 'zod'
import { fail } from '#kit/errors.ts'
import {
  mergeValues,
  missingOf,
  type ProviderValues,
  plainValues,
  type StoredValues,
  shownValues,
  startValues,
} from '#kit/provider.ts'
import { changeInstallation } from '#server/db/installation.ts'
import { publicOrigin } from '#server/http/public-origin.ts'
import type { RequestInfo } from '#server/http/route.ts'
import type { Platform } from '#server/platform.ts'
import { identityConfig, type providerForm } from '../forms.ts'

type Form = z.output<typeof providerForm>

const NAME = 'identityProvider'
const BOUND_TO = 'installation/identityProvider'

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

const valuesOf = ({ sealed, hint, ...config }: ProviderSettings): StoredValues => ({
  config,
  secrets: sealed ? { clientSecret: { encrypted: sealed, hint: hint ?? '' } } : {},
})

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

/** Merges a form into the settings (`mergeValues`). Active settings must be complete; throws an error per invalid field. */
export function changedProvider(platform: Platform, before: ProviderSettings, form: Form): ProviderSettings {
  const stored = valuesOf(before)
  const { clientSecret = String(shownValues(fields, stored)['clientSecret']), ...rest } = form
  const values = { ...rest, clientSecret }
  const missing = form.isOn ? missingOf(fields, values) : {}
  if (Object.keys(missing).length > 0) fail('ERR_VALIDATION', missing)
  const encrypt = (plain: string) => platform.secrets.encrypt(plain, BOUND_TO)
  const { secrets } = mergeValues(fields, values as never, stored, { encrypt })
  const secret = secrets['clientSecret']
  return { ...rest, sealed: secret?.encrypted ?? null, hint: secret?.hint ?? null }
}

/** Returns the provider's values with the decrypted secret. */
export const plainProvider = ({ secrets }: Platform, stored: ProviderSettings): ProviderValues =>
  plainValues(valuesOf(stored), (encrypted) => secrets.decrypt(encrypted, BOUND_TO))

/**
 * Returns the redirect URL of the provider (specification §2), which must be registered there exactly. Null for a host that
 * the installation does not know.
 */
export async function callbackUrl(platform: Platform, request: RequestInfo): Promise<string | null> {
  const origin = await publicOrigin(platform, request)
  return origin && `${origin}/auth/google/callback`
}
