import { changeInstallation } from '#server/db/installation.ts'
import { publicOrigin } from '#server/http/public-origin.ts'
import type { RequestInfo } from '#server/http/route.ts'
import type { Platform } from '#server/platform.ts'

const NAME = 'identityProvider'
const PLACE = 'installation/identityProvider'

/** What the superadmin has set; `sealed` is the client's secret, encrypted, `hint` its last four characters. */
export type ProviderSettings = {
  isOn: boolean
  label: string
  issuer: string
  clientId: string
  domains: string[]
  sealed: string | null
  hint: string | null
}

const first: ProviderSettings = {
  isOn: false,
  label: 'Entrar com Google',
  issuer: 'https://accounts.google.com',
  clientId: '',
  domains: [],
  sealed: null,
  hint: null,
}

/** The settings as they are now. */
export async function readProvider(platform: Platform): Promise<ProviderSettings> {
  const { [NAME]: stored } = await platform.installation.get('all')
  return { ...first, ...(stored as Partial<ProviderSettings> | undefined) }
}

/** Keeps the settings; every process reads them anew. */
export async function saveProvider(platform: Platform, settings: ProviderSettings): Promise<void> {
  await platform.db.asPlatform((db) => changeInstallation(db, NAME, settings))
  platform.bus.stale('installation all')
}

/** The secret as it is stored, and as it is told to the provider. */
export const encryptSecret = (platform: Platform, secret: string): string => platform.secrets.encrypt(secret, PLACE)
export const openSecret = (platform: Platform, sealed: string): string => platform.secrets.decrypt(sealed, PLACE)

/**
 * Where a provider sends people back to (specification §2); it has to be registered there, letter by letter. Null for a
 * host that the installation does not know.
 */
export async function callbackUrl(platform: Platform, request: RequestInfo): Promise<string | null> {
  const origin = await publicOrigin(platform, request)
  return origin && `${origin}/auth/google/callback`
}
