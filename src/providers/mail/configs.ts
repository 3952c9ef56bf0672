import { smtpConfig } from './smtp/config.ts'

/** Configs of all mail providers, one line each; settings belong to the first. */
export const mailConfigs = [smtpConfig] as const
