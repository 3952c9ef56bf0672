import type { ComponentType } from 'react'
import type { MessageRow } from '#features/ledger/message-rows.ts'

/** Chat flow screens that conversations show. */
export type FlowScreens = {
  /** Explanation of what a ticket's flow did; with a message, only the steps up to it. */
  readonly loadWhy: () => Promise<
    ComponentType<{ ticketId: number; name: string; messageId?: string | undefined; onClose: () => void }>
  >
}

type Dialog = ComponentType<{ ticketId: number; name: string; onClose: () => void }>

/** Assistant screens that conversations show. */
type AssistantScreens = {
  /** Assistants that answered in a ticket; the copilot; a phone call by a voice assistant. */
  readonly loadAssistants: () => Promise<{
    readonly TicketAssistants: Dialog
    readonly Copilot: Dialog
    readonly CallCustomer: Dialog
  }>
  /** Transcript below a recording. */
  readonly loadTranscript: () => Promise<ComponentType<{ message: MessageRow }>>
}

type Screens = FlowScreens & AssistantScreens

let registered: Screens

/** Registers the screens of chat flows and assistants (called in `web/features.tsx`). */
export function registerFlowScreens(screens: Screens): void {
  registered = screens
}

/** Returns the registered screens of chat flows and assistants. */
export const flowScreens = (): Screens => registered
