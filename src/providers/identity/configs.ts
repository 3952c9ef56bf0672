import { oidcConfig } from './oidc/config.ts'

/** Configs of all identity providers, one line each; settings belong to the first. */
export const identityConfigs = [oidcConfig] as const
