import type { WebFeature } from '#web/shell/screens.ts'
import { SupportNotice } from './SupportNotice.tsx'

export { MasterKeyCard } from './MasterKeyCard.tsx'

/** Web part of the feature `auth`: login, logout and password recovery. */
export const authWeb: WebFeature = { screens: [], bars: [SupportNotice] }
