import type { MakeMailAdapter } from './port.ts'
import { smtpAdapter } from './smtp/adapter.ts'

/** Factories of mail adapters by provider id. */
export const mailAdapters: Readonly<Record<string, MakeMailAdapter>> = {
  smtp: smtpAdapter,
}
