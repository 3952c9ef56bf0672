import { smtpConfig } from './smtp/config.ts'

/** Every provider of mails, one line each; settings are the first one's. */
export const mailConfigs = [smtpConfig] as const
