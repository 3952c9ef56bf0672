import type { ComponentType } from 'react'

/** What the funnel shows within conversations. */
export type FunnelScreens = {
  /** The contact's opportunities, beside a conversation with them. */
  readonly loadPanel: () => Promise<ComponentType<{ contact: { id: number; name: string } }>>
}

let registered: FunnelScreens

/** Says who shows opportunities (`web/features.tsx`). */
export function registerFunnelScreens(screens: FunnelScreens): void {
  registered = screens
}

/** Who shows opportunities. */
export const funnelScreens = (): FunnelScreens => registered
