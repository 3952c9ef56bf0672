import { seesAsAdmin } from '#domain/access/profiles.ts'
import { dayIn, momentOf } from '#domain/calendar/local-time.ts'
import { alertsOf } from '#domain/funnel/alerts.ts'
import { type Order, sortKey } from '#domain/funnel/orders.ts'
import { type Period, periodDays } from '#domain/funnel/periods.ts'
import { onlyFor } from '#features/contacts/server/index.ts'
import { nextTasksOf } from '#features/tasks/server/index.ts'
import type { Input, Returned } from '#kit/contract.ts'
import { encodeCursor } from '#kit/cursor.ts'
import { required } from '#kit/errors.ts'
import type { Actor } from '#server/actors.ts'
import type { ReadCtx } from '#server/context.ts'
import { fileUrl } from '#server/files/store.ts'
import { fieldFilters, jsonOf, listFields, type OwnValue } from '#server/own-fields.ts'
import type { opportunities } from '../contract.ts'
import { cardFieldTables } from './fields.ts'
import {
  type Asked,
  loadCards,
  loadPersons,
  type Narrowing,
  pageOfCards,
  type Sight,
  type Start,
  searchContacts,
} from './queries.ts'
import { addUpCards, type CardSum } from './queries-dashboard.ts'

/** Context of a user who reads the funnel. */
export type Asking = ReadCtx & { readonly user: Actor }

type Filter = Omit<Input<typeof opportunities.board>['query'], 'pipelineId' | 'limit' | 'ordenacao'>
type Row = Returned<typeof opportunities.get>

/** Returns the user's visibility: own and unassigned cards for users; all for supervisors and admins (product facts 10). */
export const sightOf = (ctx: Pick<Asking, 'user' | 'settings'>): Sight => ({
  ownerId: ctx.user.profile === 'user' && !seesAsAdmin(ctx.user) ? ctx.user.id : null,
  onlyFor: onlyFor(ctx),
})

/** Returns the current day in the company's time zone, `YYYY-MM-DD`. */
export const todayOf = ({ now, settings }: Pick<ReadCtx, 'now' | 'settings'>): string =>
  dayIn(settings.timezone, now.getTime())

/** Returns the start of a day in a time zone. */
function startOf(zone: string, day: string, days = 0): Date {
  const date = new Date(`${day}T00:00Z`)
  date.setUTCDate(date.getUTCDate() + days)
  const at = { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
  return new Date(momentOf(zone, { ...at, hour: 0, minute: 0 }))
}

/** Builds a card request from the user's visibility and a filter. */
export async function askedOf(ctx: Asking, filter: Filter, more: Narrowing = {}): Promise<Asked> {
  const today = todayOf(ctx)
  const { timezone } = ctx.settings
  const { from, to } = periodOf(filter, today)
  const narrowing: Narrowing = {
    stageIds: filter.stageId,
    owners: filter.responsibleId,
    statuses: filter.status,
    valueFrom: filter.valorMin,
    valueTo: filter.valorMax,
    madeFrom: from === undefined ? undefined : startOf(timezone, from),
    madeBefore: to === undefined ? undefined : startOf(timezone, to, 1),
    forecastFrom: filter.forecastFrom,
    forecastTo: filter.forecastTo,
    closedFrom: filter.closedFrom === undefined ? undefined : startOf(timezone, filter.closedFrom),
    closedBefore: filter.closedTo === undefined ? undefined : startOf(timezone, filter.closedTo, 1),
    alert: filter.alert,
    ...(filter.field && { fields: fieldFilters(await listFields(ctx.db, cardFieldTables), filter.field) }),
    ...(filter.searchTerm ? { term: await termOf(ctx, filter.searchTerm) } : {}),
    ...more,
  }
  return { sight: sightOf(ctx), narrowing, now: ctx.now, today }
}

function periodOf(
  {
    periodo,
    startDate,
    endDate,
  }: { periodo?: Period | undefined; startDate?: string | undefined; endDate?: string | undefined },
  today: string,
) {
  const { from, to } = periodo ? periodDays(periodo, today) : { from: undefined, to: undefined }
  return { from: startDate ?? from, to: endDate ?? to }
}

// Restricted users cannot search by data that is masked for them.
const termOf = async ({ db, user }: Asking, text: string) => ({
  text,
  contactIds: user.restrictedUser ? [] : await searchContacts(db, text),
})

/** Serialises cards in the order of `ids`; omits missing ones. */
export async function serializeCards(
  ctx: Asking,
  ids: readonly number[],
  order: Order | 'rank' = 'rank',
): Promise<Row[]> {
  if (ids.length === 0) return []
  const rows = new Map((await loadCards(ctx.db, ids)).map((row) => [row.id, row]))
  const owed = [...rows.values()].flatMap(({ id, person, contactId }) =>
    [...new Set([person, contactId])].map((one) => ({ id, contactId: one })),
  )
  const [contacts, tasks] = await Promise.all([
    loadPersons(
      ctx.db,
      owed.map(({ contactId }) => contactId),
    ),
    nextTasksOf(ctx.db, owed, ctx.user),
  ])
  const at = { today: todayOf(ctx), now: ctx.now.getTime() }
  return ids.flatMap((id) => {
    const row = rows.get(id)
    const contact = row && contacts.get(row.person)
    if (!row || !contact) return []
    const nextTask = tasks.get(id) ?? null
    const { picture, ...who } = contact
    const { person: _, rank, staleDays, entry: __, own, ...plain } = row
    const times = { movedAt: row.movedAt.getTime(), stageSince: row.stageSince.getTime() }
    return [
      {
        ...plain,
        // Converted here: `JSON.stringify` would be slower for many cards.
        stageSince: row.stageSince.toISOString(),
        movedAt: row.movedAt.toISOString(),
        createdAt: row.createdAt.toISOString(),
        updatedAt: row.updatedAt.toISOString(),
        fields: fieldsOf(own),
        contact: { ...who, profilePicUrl: picture && fileUrl(ctx.platform, ctx.tenantId, picture, 'foto') },
        order: order === 'rank' ? rank : sortKey(order, row),
        nextTask,
        alerts: alertsOf({ ...row, ...times, staleDays, hasTask: nextTask !== null }, at),
      },
    ]
  })
}

const fieldsOf = (own: readonly OwnValue[]) => Object.fromEntries(own.map((one) => [one.id, jsonOf(one)]))

/** Returns the sums of visible cards created in a period. */
export const sumsOfCards = async (
  ctx: Asking,
  { from, before }: { from: Date; before: Date },
  by: 'stage' | 'owner',
): Promise<CardSum[]> => addUpCards(ctx.db, await askedOf(ctx, {}, { madeFrom: from, madeBefore: before }), by)

/** Returns cards as API programs receive them, by id: without viewer-dependent fields. */
export async function cardsForPrograms(ctx: ReadCtx, ids: readonly number[]): Promise<Map<number, object>> {
  if (ids.length === 0) return new Map()
  const rows = await loadCards(ctx.db, ids)
  const contacts = await loadPersons(
    ctx.db,
    rows.map(({ person }) => person),
  )
  return new Map(
    rows.flatMap(({ person, rank: _, entry: __, staleDays: ___, own, ...plain }) => {
      const contact = contacts.get(person)
      if (!contact) return []
      const { picture: ____, ...who } = contact
      return [[plain.id, { ...plain, fields: fieldsOf(own), contact: who }] as const]
    }),
  )
}

/** Returns a card that the user may see; throws 404 otherwise. */
export async function cardOf(ctx: Asking, id: number): Promise<Row> {
  const [found] = await pageOfCards(ctx.db, await askedOf(ctx, {}, { ids: [id] }), 'data_desc', FIRST)
  const [card] = found ? await serializeCards(ctx, [found.id]) : []
  return required(card, 'ERR_NO_OPPORTUNITY_FOUND')
}

const FIRST: Start = { after: null, offset: 0, limit: 1 }

/** Returns a page of cards and its next cursor. */
export async function readPage(
  ctx: Asking,
  asked: Asked,
  order: Order | 'rank',
  start: Start,
): Promise<{ cards: Row[]; hasMore: boolean; nextCursor: string | null }> {
  const found = await pageOfCards(ctx.db, asked, order, { ...start, limit: start.limit + 1 })
  const shown = found.slice(0, start.limit)
  const cards = await serializeCards(
    ctx,
    shown.map(({ id }) => id),
    order,
  )
  return { cards, ...goingOn(found, start.limit) }
}

/** Returns whether more rows follow a page, and the next cursor. */
export function goingOn(found: readonly { readonly id: number; readonly sortValue: string }[], limit: number) {
  const hasMore = found.length > limit
  const last = found[limit - 1]
  return { hasMore, nextCursor: hasMore && last ? encodeCursor([last.sortValue, last.id]) : null }
}
