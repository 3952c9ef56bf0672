import type { MakeMailAdapter } from './port.ts'
import { smtpAdapter } from './smtp/adapter.ts'

/** How the adapter of each provider of mails is made, one line each. */
export const mailAdapters: Readonly<Record<string, MakeMailAdapter>> = {
  smtp: smtpAdapter,
}
