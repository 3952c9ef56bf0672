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

/** What a report of contacts is asked for. */
export type ContactsQuery = Omit<Input<typeof namedReports.contacts>['query'], 'cursor'>

/** What narrows a report of contacts, within what the person sees. */
async function askedFor(ctx: ReportCtx, { startDate, endDate, tags, ddds, kanban, wallets, fromAd }: ContactsQuery) {
  const { from, before } = periodOf(ctx.settings.timezone, {
    ...(startDate ? { from: startDate } : {}),
    ...(endDate ? { to: endDate } : {}),
  })
  const { narrowing } = await narrowingOf(ctx, { tag: tags, kanban, wallet: wallets, fromAd })
  const conditions = [...narrowing.conditions, ...contactConditions({ from, before, ddds: ddds ?? [] })]
  return { onlyFor: onlyFor(ctx), narrowing: { ...narrowing, conditions } }
}

/** A contact as reports show it. */
export const reported = (row: ReportedContact) => ({ ...row, state: row.number && stateOf(row.number) })

/** A page of a report of contacts; with the first page, how many they are. */
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

/** Some contacts of a report after another one, the newest first. */
export async function contactsAfter(
  ctx: ReportCtx,
  query: ContactsQuery,
  after: [number] | null,
  limit: number,
): Promise<ReportedContact[]> {
  return loadReported(ctx.db, await pageOfReported(ctx.db, await askedFor(ctx, query), { after, limit }))
}
