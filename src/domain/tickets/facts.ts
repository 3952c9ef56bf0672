/** Statuses of a ticket. */
export const TICKET_STATUSES = ['open', 'pending', 'closed'] as const

/** Status of a ticket. */
export type TicketStatus = (typeof TICKET_STATUSES)[number]

/** Ticket data that the visibility rules need; ids are those of the tenant's rows. */
export type TicketFacts = {
  readonly status: TicketStatus
  readonly isGroup: boolean
  readonly userId: number | null
  readonly queueId: number | null
  readonly whatsappId: number
  readonly chatFlowId: number | null
  /** Whether an assistant attends the ticket (`isAssisted`). */
  readonly isAssisted: boolean
  readonly kanban: number | null
  readonly unread: boolean
  readonly tagIds: readonly number[]
  readonly wallets: readonly number[]
  readonly groupUserIds: readonly number[]
  /** Whether the ticket is snoozed until a future time. */
  readonly snoozed: boolean
}
