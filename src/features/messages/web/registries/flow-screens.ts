import type { ComponentType } from 'react'

/** What chat flows show within conversations. */
export type FlowScreens = {
  /** Why the flow of a ticket did what it did; of a message, up to what brought it about. */
  readonly loadWhy: () => Promise<
    ComponentType<{ ticketId: number; name: string; messageId?: string | undefined; onClose: () => void }>
  >
}

let registered: FlowScreens

/** Says who shows chat flows (`web/features.tsx`). */
export function registerFlowScreens(screens: FlowScreens): void {
  registered = screens
}

/** Who shows chat flows. */
export const flowScreens = (): FlowScreens => registered
