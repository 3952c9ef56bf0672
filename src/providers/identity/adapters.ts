import { oidcAdapter } from './oidc/adapter.ts'
import type { MakeIdentityAdapter } from './port.ts'

/** Factories of identity adapters by provider id. */
export const identityAdapters: Readonly<Record<string, MakeIdentityAdapter>> = {
  oidc: oidcAdapter,
}
