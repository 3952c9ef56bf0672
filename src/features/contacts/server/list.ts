import { seesWide } from '#domain/access/profiles.ts'
import { momentsOf } from '#domain/calendar/day-range.ts'
import { STATE_OF_DDD } from '#domain/phone/brazil.ts'
import type { Input, Returned } from '#kit/contract.ts'
import { cursorParts, encodeCursor } from '#kit/cursor.ts'
import { fail } from '#kit/errors.ts'
import { isOn } from '#kit/settings.ts'
import type { Actor } from '#server/actors.ts'
import type { ReadCtx } from '#server/context.ts'
import type { Queryable } from '#server/db/db.ts'
import { fieldFilters } from '#server/own-fields.ts'
import type { contacts } from '../contract.ts'
import { loadContacts } from './queries.ts'
import { listFields } from './queries-fields.ts'
import {
  byAd,
  byAnswer,
  byAreaCodes,
  byBirthMonths,
  byCreation,
  byField,
  byLastTalk,
  byStages,
  bySwitch,
  byTags,
  byTerm,
  byWallets,
  countContacts,
  type Filter,
  type Narrowing,
  nobody,
  type OnlyFor,
  pageOfContacts,
} from './queries-list.ts'
import { serializeContact } from './serializer.ts'

const PAGE = 40
const LAST_NUMBERED_PAGE = 50
const COUNTED = 1000
/** Maximum number of hits for which a filter starts from the hits. */
const FOUND = COUNTED

type Query = Input<typeof contacts.list>['query']
/** Filters of a list. */
export type Asked = Omit<Query, 'pageNumber' | 'cursor'>

/** Restricts visibility to owners and leads for contacts with wallets, if wallet routing is on (product facts 4.2). */
export const onlyFor = ({ user, settings }: { user: Actor; settings: ReadCtx['settings'] }): OnlyFor =>
  isOn(settings, 'DirectTicketsToWallets') && !seesWide(user, isOn(settings, 'supervisorAdmin')) ? user.id : null

/** Returns a page of contacts by name. */
export async function listContacts(
  ctx: ReadCtx & { user: Actor },
  query: Query,
): Promise<Returned<typeof contacts.list>> {
  if (query.pageNumber > LAST_NUMBERED_PAGE && !query.cursor) fail('ERR_PAGE_TOO_FAR')
  const after = query.cursor ? cursorParts(query.cursor, ['string', 'number']) : null
  const { narrowing, isKnownMany } = await narrowingOf(ctx, query)
  const asked = { onlyFor: onlyFor(ctx), narrowing }
  const offset = after ? 0 : (query.pageNumber - 1) * PAGE
  const found = await pageOfContacts(ctx.db, { ...asked, after, offset, limit: PAGE + 1 })
  const many = isKnownMany && asked.onlyFor === null
  const count = many ? COUNTED + 1 : await countContacts(ctx.db, { ...asked, most: COUNTED + 1 })
  const page = found.slice(0, PAGE)
  const last = page.at(-1)
  const hasMore = found.length > PAGE
  const rows = await loadContacts(
    ctx.db,
    page.map((row) => row.id),
  )
  return {
    contacts: rows.map((row) => serializeContact(ctx.platform, row)),
    count: Math.min(count, COUNTED),
    countIsCapped: count > COUNTED,
    hasMore,
    nextCursor: hasMore && last ? encodeCursor([last.sort_name, last.id]) : null,
  }
}

/** Context of filters: days are those of the company's time zone. */
type Asking = Pick<ReadCtx, 'settings' | 'now'> & { readonly db: Queryable }

/** Returns the ids of contacts that match a filter, by name; at most `most`. */
export async function selectContacts(
  ctx: Asking & { user: Actor },
  filter: Partial<Asked>,
  most: number,
): Promise<number[]> {
  const { narrowing } = await narrowingOf(ctx, filter)
  const asked = { onlyFor: onlyFor(ctx), narrowing, after: null, offset: 0, limit: most }
  return (await pageOfContacts(ctx.db, asked)).map(({ id }) => id)
}

/**
 * Returns how to narrow a list by search and filters. Filters with few hits give the ids to start from; those with very many
 * are tested per contact, in order.
 */
export async function narrowingOf(
  ctx: Asking,
  asked: Partial<Asked>,
): Promise<{ narrowing: Narrowing; isKnownMany: boolean }> {
  const few: number[][] = []
  const many: Filter[] = []
  for (const filter of await filtersOf(ctx, asked)) {
    const ids = await filter.find(ctx.db, FOUND + 1)
    if (ids.length <= FOUND) few.push(ids)
    else many.push(filter)
  }
  return {
    narrowing: {
      ids: few.length > 0 ? few.reduce(inBoth) : null,
      conditions: many.map(({ condition }) => condition),
    },
    isKnownMany: few.length === 0 && many.length === 1,
  }
}

async function filtersOf({ db, settings, now }: Asking, asked: Partial<Asked>): Promise<Filter[]> {
  const {
    searchParam,
    tag = [],
    wallet = [],
    kanban = [],
    blocked,
    chatbotBlocked,
    isGroup,
    fromAd,
    state = [],
    created,
    lastTalk,
    birthMonth = [],
    answered = [],
    unanswered = [],
    field = [],
  } = asked
  const daysOf = (range: string | undefined) => (range ? momentsOf(range, { zone: settings.timezone, now }) : null)
  const [creation, talk] = [daysOf(created), daysOf(lastTalk)]
  const codes = [...STATE_OF_DDD].flatMap(([code, of]) => (state.includes(of) ? [code] : []))
  return [
    ...(searchParam ? [byTerm(wanted(searchParam))] : []),
    ...(tag.length > 0 ? [byTags(tag)] : []),
    ...(wallet.length > 0 ? [byWallets(wallet)] : []),
    ...(kanban.length > 0 ? [byStages(kanban)] : []),
    ...(blocked === undefined ? [] : [bySwitch('blocked', blocked)]),
    ...(chatbotBlocked === undefined ? [] : [bySwitch('chatbot_blocked', chatbotBlocked)]),
    ...(isGroup === undefined ? [] : [bySwitch('is_group', isGroup)]),
    ...(fromAd === undefined ? [] : [byAd(fromAd)]),
    ...(codes.length > 0 ? [byAreaCodes(codes)] : []),
    ...(creation ? [byCreation(creation)] : []),
    ...(talk ? [byLastTalk(talk)] : []),
    ...(birthMonth.length > 0 ? [byBirthMonths(birthMonth)] : []),
    ...(answered.length > 0 ? [byAnswer(answered, true)] : []),
    ...(unanswered.length > 0 ? [byAnswer(unanswered, false)] : []),
    ...(field.length > 0 ? fieldFilters(await listFields(db), field).map((one) => (one ? byField(one) : nobody)) : []),
  ]
}

function inBoth(one: number[], other: number[]): number[] {
  const known = new Set(other)
  return one.filter((id) => known.has(id))
}

/** Numbers and documents are stored without their masks. */
function wanted(search: string): string {
  const bare = search.replace(/[\s()+./-]/g, '')
  return /^\d+$/.test(bare) ? bare : search
}
