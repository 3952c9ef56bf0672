import type { ComponentType } from 'react'
import type { MessageRow } from '#features/ledger/message-rows.ts'

/** What chat flows show within conversations. */
export type FlowScreens = {
  /** Why the flow of a ticket did what it did; of a message, up to what brought it about. */
  readonly loadWhy: () => Promise<
    ComponentType<{ ticketId: number; name: string; messageId?: string | undefined; onClose: () => void }>
  >
}

type Dialog = ComponentType<{ ticketId: number; name: string; onClose: () => void }>

/** What assistants show within conversations. */
type AssistantScreens = {
  /** Who answered in a ticket, and by what; what helps an agent write in it; a phone call of a voice assistant. */
  readonly loadAssistants: () => Promise<{
    readonly TicketAssistants: Dialog
    readonly Copilot: Dialog
    readonly CallCustomer: Dialog
  }>
  /** What is spoken in a recording, below it. */
  readonly loadTranscript: () => Promise<ComponentType<{ message: MessageRow }>>
}

type Screens = FlowScreens & AssistantScreens

let registered: Screens

/** Says who shows chat flows and assistants (`web/features.tsx`). */
export function registerFlowScreens(screens: Screens): void {
  registered = screens
}

/** Who shows chat flows and assistants. */
export const flowScreens = (): Screens => registered
