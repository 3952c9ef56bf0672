import { oidcAdapter } from './oidc/adapter.ts'
import type { MakeIdentityAdapter } from './port.ts'

/** How the adapter of each provider of identities is made, one line each. */
export const identityAdapters: Readonly<Record<string, MakeIdentityAdapter>> = {
  oidc: oidcAdapter,
}
