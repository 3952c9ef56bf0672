import type { TicketAssistant } from '../tickets/assistants.ts'

/** Precedence of assistants when several are on: flow engines, then models (product facts 8.3). */
export const ORDER: readonly TicketAssistant[] = [
  ...(['typebot', 'dialogflow', 'n8n', 'dify'] as const),
  ...(['chatgpt', 'ollama', 'lm', 'grok', 'gemini', 'deepseek', 'qwen', 'claude'] as const),
]

/** Ticket data that decides whether an assistant answers. */
export type Situation = {
  readonly status: 'open' | 'pending' | 'closed'
  readonly isGroup: boolean
  readonly isInFlow: boolean
  readonly isPaused: boolean
  /** Block flags of the contact: messages from the contact are blocked, or chatbots are. */
  readonly isBlocked: boolean
  readonly isChatbotBlocked: boolean
  /** Whether the contact is in a wallet; assistants do not answer such contacts. */
  readonly isInWallet: boolean
  /** Whether a person has attended the ticket. */
  readonly wasAttended: boolean
  readonly isFirstTicket: boolean
  /** On/off switches of the ticket, by assistant name. */
  readonly switches: Readonly<Record<string, unknown>>
}

/** Assistant settings of the ticket's connection. */
export type Chosen = {
  readonly assistant: TicketAssistant | null
  readonly when: 'always' | 'closed' | 'away'
  readonly firstTicketOnly: boolean
}

/** Present availability: within business hours, agents away. */
export type Attendance = { readonly isOpen: boolean; readonly isAway: boolean }

/** Whether any assistant may answer in a ticket. */
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
 * Returns the first assistant of a new ticket: the connection's, else the first that is on everywhere. `permitted` are those
 * the company permits.
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

/** Returns the assistant that answers in a ticket now; null if people answer. */
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
