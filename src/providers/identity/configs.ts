import { oidcConfig } from './oidc/config.ts'

/** Every provider of identities, one line each; settings are the first one's. */
export const identityConfigs = [oidcConfig] as const
