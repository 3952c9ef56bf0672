import type { TicketFacts } from '#domain/tickets/facts.ts'
import { ticketEvents } from '#features/ledger/ticket-rows.ts'
import type { Ctx } from '#server/context.ts'

/** Publishes to those who may see a ticket that its rating was requested, given or cancelled. */
export const publishRating = (ctx: Ctx, ticketId: number, facts: TicketFacts, evaluation: number | null): void =>
  ctx.emit(ticketEvents.rated, { id: ticketId, evaluation }, { kind: 'ticket', ticketId, before: null, after: facts })
