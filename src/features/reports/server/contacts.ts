import { stateOf } from '#domain/phone/brazil.ts'
import { narrowingOf, onlyFor } from '#features/contacts/server/index.ts'
import { periodOf } from '#features/tickets/server/list/index.ts'
import type { Input, Returned } from '#kit/contract.ts'
import { exactPageStartOf, pageOf } from '#server/paging.ts'
import type { namedReports } from '../contract.ts'
import { type ReportCtx, requireOrder } from './figures.ts'
import {
  contactConditions,
  countReported,
  loadReported,
  pageOfReported,
  type ReportedContact,
} from './queries-contacts.ts'

/** Filter of a contact report. */
export type ContactsQuery = Omit<Input<typeof namedReports.contacts>['query'], 'cursor'>

/** Builds the narrowing of a contact report within the user's visibility. */
async function askedFor(ctx: ReportCtx, { startDate, endDate, tags, ddds, kanban, wallets, fromAd }: ContactsQuery) {
  const { from, before } = periodOf(ctx.settings.timezone, {
    ...(startDate ? { from: startDate } : {}),
    ...(endDate ? { to: endDate } : {}),
  })
  const { narrowing } = await narrowingOf(ctx, { tag: tags, kanban, wallet: wallets, fromAd })
  const conditions = [...narrowing.conditions, ...contactConditions({ from, before, ddds: ddds ?? [] })]
  return { onlyFor: onlyFor(ctx), narrowing: { ...narrowing, conditions } }
}

/** Serialises a contact for reports. */
export const reported = (row: ReportedContact) => ({ ...row, state: row.number && stateOf(row.number) })

/** Returns a page of a contact report; the first page has the total number. */
export async function listReported(
  ctx: ReportCtx,
  { cursor, ...query }: Input<typeof namedReports.contacts>['query'],
): Promise<Returned<typeof namedReports.contacts>> {
  requireOrder(query)
  const asked = await askedFor(ctx, query)
  const start = exactPageStartOf<[number]>({ pageNumber: 1, cursor }, 1)
  const { rows, paging } = pageOf(await pageOfReported(ctx.db, asked, start), (id) => [id])
  const count = start.after ? rows.length : await countReported(ctx.db, asked)
  const contacts = (await loadReported(ctx.db, rows)).map(reported)
  return { contacts, count, countIsCapped: false, ...paging }
}

/** Returns contacts of a report after another one, newest first. */
export async function contactsAfter(
  ctx: ReportCtx,
  query: ContactsQuery,
  after: [number] | null,
  limit: number,
): Promise<ReportedContact[]> {
  return loadReported(ctx.db, await pageOfReported(ctx.db, await askedFor(ctx, query), { after, limit }))
}
