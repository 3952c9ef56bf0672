import { findContact } from '#features/ledger/server/changes/index.ts'
import { factsOf, findTicketsForUpdate, loadTicketRows } from '#features/ledger/server/rows/index.ts'
import { announceAll, visibleSql } from '#features/visibility/server/index.ts'
import type { Input, Returned } from '#kit/contract.ts'
import { required } from '#kit/errors.ts'
import type { Actor } from '#server/actors.ts'
import type { Ctx, ReadCtx } from '#server/context.ts'
import { exactPageStartOf, pageOf } from '#server/paging.ts'
import type { tickets } from '../../contract.ts'
import { newestOfContacts, ticketsOfContact } from './queries-list.ts'

/** Returns a page of a contact's visible tickets, newest first. */
export async function listOfContact(
  ctx: ReadCtx & { user: Actor },
  contactId: number,
  query: Input<typeof tickets.ofContact>['query'],
): Promise<Returned<typeof tickets.ofContact>> {
  const { after, offset, limit } = exactPageStartOf<[number]>(query, 1)
  required(await findContact(ctx.db, contactId), 'ERR_NO_CONTACT_FOUND')
  const page = { before: after?.[0] ?? null, offset, limit }
  const found = await ticketsOfContact(ctx.db, contactId, visibleSql(ctx.user, ctx.settings), page)
  const { rows, paging } = pageOf(found, (id) => [id])
  const loaded = await loadTicketRows(ctx.db, rows, ctx)
  return { tickets: rows.flatMap((id) => loaded.get(id)?.row ?? []), ...paging }
}

/** Changes contacts, then publishes the new state of each one's newest `most` tickets. */
export async function announcingTickets(
  ctx: Ctx,
  contactIds: readonly number[],
  most: number,
  change: () => Promise<unknown>,
): Promise<void> {
  const before = await findTicketsForUpdate(ctx.db, await newestOfContacts(ctx.db, contactIds, most))
  await change()
  await announceAll(
    ctx,
    before.map((row) => ({ row, facts: factsOf(row) })),
  )
}
