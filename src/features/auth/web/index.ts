import type { WebFeature } from '#web/shell/screens.ts'
import { SupportNotice } from './SupportNotice.tsx'

export { MasterKeyCard } from './MasterKeyCard.tsx'

/** What entering and leaving brings to every screen. */
export const authWeb: WebFeature = { screens: [], bars: [SupportNotice] }
