import type { WebFeature } from '#web/shell/screens.ts'
import { authErrors } from '../errors.ts'
import { SupportNotice } from './SupportNotice.tsx'

export { MasterKeyCard } from './MasterKeyCard.tsx'

/** What entering and leaving brings to every screen. */
export const authWeb: WebFeature = { errors: authErrors, bars: [SupportNotice] }
