/** The statuses that a ticket can have. */
export const TICKET_STATUSES = ['open', 'pending', 'closed'] as const

/** One of the three statuses. */
export type TicketStatus = (typeof TICKET_STATUSES)[number]

/** Facts about a ticket that the visibility rules need; ids are those of the tenant's rows. */
export type TicketFacts = {
  readonly status: TicketStatus
  readonly isGroup: boolean
  readonly userId: number | null
  readonly queueId: number | null
  readonly whatsappId: number
  readonly chatFlowId: number | null
  /** An assistant attends it (`isAssisted`). */
  readonly isAssisted: boolean
  readonly kanban: number | null
  readonly unread: boolean
  readonly tagIds: readonly number[]
  readonly wallets: readonly number[]
  readonly groupUserIds: readonly number[]
  /** Put off until a moment that has not come. */
  readonly snoozed: boolean
}
