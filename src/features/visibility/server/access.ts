import { evaluate } from '#domain/criteria.ts'
import type { TicketFacts } from '#domain/tickets/facts.ts'
import {
  factsOf,
  findTicket,
  findTicketForUpdate,
  type LoadedTicket,
  loadTicketRows,
  type TicketRecord,
} from '#features/ledger/server/rows/index.ts'
import { ticketEvents } from '#features/ledger/ticket-rows.ts'
import { AppError, fail } from '#kit/errors.ts'
import type { TenantSettings } from '#kit/settings.ts'
import { type Actor, accessOf, may, readActors } from '#server/actors.ts'
import type { Ctx, ReadCtx } from '#server/context.ts'
import { isInfrastructure } from '#server/db/faults.ts'
import { ticketsWhere } from './queries-visibility.ts'

/** Stored ticket with its visibility facts. */
export type KnownTicket = { readonly row: TicketRecord; readonly facts: TicketFacts }

/** Returns the user's visibility as a condition on `tickets`, for queries that start from another table. */
export const visibleSql = (actor: Actor, settings: TenantSettings) => ticketsWhere(accessOf(actor, settings))

/** Returns a ticket if the user may see it; throws 404 ERR_NO_TICKET_FOUND if foreign, hidden or missing. */
export async function requireVisible(
  ctx: Pick<ReadCtx, 'db' | 'user' | 'settings'>,
  ticketId: number,
): Promise<KnownTicket> {
  return seen(ctx, await findTicket(ctx.db, ticketId))
}

/** Returns the ticket of a message; throws as for a missing one if the user does not see the ticket. */
export const requireVisibleMessage = (
  ctx: Pick<ReadCtx, 'db' | 'user' | 'settings'>,
  ticketId: number,
): Promise<KnownTicket> =>
  requireVisible(ctx, ticketId).catch((error: unknown) => {
    throw isInfrastructure(error) ? error : new AppError('ERR_FETCH_WAPP_MSG')
  })

/** Returns a visible ticket as `requireVisible` does, locked until the transaction ends. */
export async function lockVisible(ctx: Ctx, ticketId: number): Promise<KnownTicket> {
  return seen(ctx, await findTicketForUpdate(ctx.db, ticketId))
}

/** Loads and locks a ticket for automatic work, without a visibility check. */
export async function lockTicket(ctx: Pick<Ctx, 'db'>, ticketId: number): Promise<KnownTicket> {
  const row = (await findTicketForUpdate(ctx.db, ticketId)) ?? fail('ERR_NO_TICKET_FOUND')
  return { row, facts: factsOf(row) }
}

/** Publishes a ticket to all who may see it, and its removal to those who no longer may; `before` null: a new ticket. */
export function announce(ctx: Ctx, before: TicketFacts | null, after: LoadedTicket): void {
  const audience = { kind: 'ticket', ticketId: after.row.id, before, after: after.facts } as const
  ctx.emit(before ? ticketEvents.update : ticketEvents.create, { ...after.row, draft: null }, audience)
}

/** Publishes changed tickets in their present state; deleted ones are skipped. */
export async function announceAll(ctx: Ctx, before: readonly KnownTicket[]): Promise<void> {
  const ids = before.map(({ row }) => row.id)
  const loaded = await loadTicketRows(ctx.db, ids, { platform: ctx.platform })
  for (const { row, facts } of before) {
    const after = loaded.get(row.id)
    if (after) announce(ctx, facts, after)
  }
}

/** Whether the user may see a ticket; false without a user. */
export const isVisible = ({ user, settings }: Pick<ReadCtx, 'user' | 'settings'>, facts: TicketFacts): boolean =>
  user !== null && evaluate(accessOf(user, settings), facts)

/** Returns those of the users who exist and may see a ticket, by name. */
export async function whoSees(
  { db, tenantId, settings }: Pick<ReadCtx, 'db' | 'tenantId' | 'settings'>,
  facts: TicketFacts,
  ids: readonly number[],
): Promise<Actor[]> {
  const actors = ids.length > 0 ? await readActors(db, tenantId, ids) : []
  return actors.filter((actor) => maySee(actor, settings, facts))
}

/** Whether an actor may see a ticket. */
export const maySee = (actor: Actor, settings: ReadCtx['settings'], facts: TicketFacts): boolean =>
  may(actor, settings, 'tickets:read') && evaluate(accessOf(actor, settings), facts)

function seen(ctx: Pick<ReadCtx, 'user' | 'settings'>, row: TicketRecord | undefined): KnownTicket {
  const facts = row && factsOf(row)
  return row && facts && isVisible(ctx, facts) ? { row, facts } : fail('ERR_NO_TICKET_FOUND')
}
