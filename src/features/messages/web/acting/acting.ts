import type { MessageRow } from '#features/ledger/message-rows.ts'
import type { TicketDetail } from '#features/ledger/ticket-rows.ts'
import { createStore } from '#web/store.ts'
import type { Command } from '#web/ui/layout/command.ts'

/** Open dialog of a conversation: an action on a message, a non-text message to send, or a search. */
export type Acting =
  | { readonly what: 'edit' | 'react' | 'flow' | 'comment'; readonly message: MessageRow; readonly ticket?: undefined }
  /** `all`: the message is the first of several to forward. */
  | {
      readonly what: 'forward' | 'colleague'
      readonly message: MessageRow
      readonly all?: readonly MessageRow[]
      readonly ticket?: undefined
    }
  /** Selected quick reply that has variables without a value here. */
  | {
      readonly what: 'fill'
      readonly title: string
      readonly names: readonly string[]
      readonly onFill: (values: Readonly<Record<string, string>>) => void
      readonly ticket?: undefined
    }
  | {
      readonly what: 'card' | 'location' | 'interactive' | 'poll' | 'ghost' | 'day' | 'macro' | 'template' | 'copilot'
      readonly ticket: TicketDetail
    }

/** Commands that load after the page: sendable things beside text and files, and commands of a conversation. */
export type Extras = {
  readonly toSend: (ticket: TicketDetail) => readonly Command[]
  readonly ofConversation: (ticket: TicketDetail) => readonly Command[]
}

/** Empty until the module has loaded. */
export const extras = createStore<Extras>({ toSend: () => [], ofConversation: () => [] })

/** Store of the one open dialog; null if none. */
export const acting = createStore<Acting | null>(null)
