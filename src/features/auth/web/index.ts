import type { WebFeature } from '#web/screens.ts'
import { SupportNotice } from './support-notice.tsx'

export { MasterKeyCard } from './master-key-card.tsx'

/** What entering and leaving brings to every screen. */
export const authWeb: WebFeature = { screens: [], bars: [SupportNotice] }
