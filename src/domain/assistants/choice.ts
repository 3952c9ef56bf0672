import type { TicketAssistant } from '../tickets/assistants.ts'

/** Precedence where several assistants are on: engines of flows, then models (product facts 8.3). */
export const ORDER: readonly TicketAssistant[] = [
  ...(['typebot', 'dialogflow', 'n8n', 'dify'] as const),
  ...(['chatgpt', 'ollama', 'lm', 'grok', 'gemini', 'deepseek', 'qwen', 'claude'] as const),
]

/** A ticket as it is decided whether an assistant answers in it. */
export type Situation = {
  readonly status: 'open' | 'pending' | 'closed'
  readonly isGroup: boolean
  readonly isInFlow: boolean
  readonly isPaused: boolean
  /** The contact is blocked, or bots may not answer it (`isChatbotBlocked`). */
  readonly isBlocked: boolean
  readonly isChatbotBlocked: boolean
  /** The contact is in a wallet, and assistants do not answer those. */
  readonly isInWallet: boolean
  /** A person has attended it. */
  readonly wasAttended: boolean
  readonly isFirstTicket: boolean
  /** Switches of the ticket by the assistants' names. */
  readonly switches: Readonly<Record<string, unknown>>
}

/** Assistant chosen for the connection of a ticket. */
export type Chosen = {
  readonly assistant: TicketAssistant | null
  readonly when: 'always' | 'closed' | 'away'
  readonly firstTicketOnly: boolean
}

/** Availability for customers now. */
export type Attendance = { readonly isOpen: boolean; readonly isAway: boolean }

/** Whether an assistant may answer in a ticket at all, whichever it is. */
export const mayAnswer = (ticket: Situation): boolean =>
  ticket.status === 'pending' &&
  ![
    ticket.isGroup,
    ticket.isInFlow,
    ticket.isPaused,
    ticket.isBlocked,
    ticket.isChatbotBlocked,
    ticket.isInWallet,
  ].includes(true)

/**
 * Returns the first assistant of a ticket without any choice yet: the connection's, else the first that answers
 * everywhere. `permitted` are those the company allows.
 */
export function beginningWith(
  ticket: Situation,
  chosen: Chosen,
  { permitted, everywhere }: { permitted: ReadonlySet<TicketAssistant>; everywhere: ReadonlySet<TicketAssistant> },
): TicketAssistant | null {
  if (ticket.wasAttended || ORDER.some((name) => name in ticket.switches)) return null
  if (chosen.assistant !== null) {
    const isTheirs = permitted.has(chosen.assistant) && (!chosen.firstTicketOnly || ticket.isFirstTicket)
    return isTheirs ? chosen.assistant : null
  }
  return ORDER.find((name) => everywhere.has(name) && permitted.has(name)) ?? null
}

/** The assistant that answers in a ticket now; null where people do. */
export function answering(
  switches: Situation['switches'],
  permitted: ReadonlySet<TicketAssistant>,
  { when }: Pick<Chosen, 'when'>,
  { isOpen, isAway }: Attendance,
): TicketAssistant | null {
  if (when === 'closed' && isOpen) return null
  if (when === 'away' && !isAway) return null
  return ORDER.find((name) => switches[name] === true && permitted.has(name)) ?? null
}
