import { seesWide } from '#domain/access/profiles.ts'
import type { Input, Returned } from '#kit/contract.ts'
import { decodeCursor, encodeCursor } from '#kit/cursor.ts'
import { fail } from '#kit/errors.ts'
import { isOn } from '#kit/settings.ts'
import type { Actor } from '#server/actors.ts'
import type { ReadCtx } from '#server/context.ts'
import type { Queryable } from '#server/db/db.ts'
import type { contacts } from '../contract.ts'
import { loadContacts } from './queries.ts'
import {
  countContacts,
  type Narrowing,
  type OnlyFor,
  pageOfContacts,
  searchContacts,
  taggedContacts,
  walletContacts,
} from './queries-list.ts'
import { serializeContact } from './serializer.ts'

const PAGE = 40
const LAST_NUMBERED_PAGE = 50
const COUNTED = 1000
/** Up to so many hits are few. */
const FOUND = COUNTED

type Query = Input<typeof contacts.list>['query']

/** With wallet routing on, contacts with wallets are their owners' and the leads' (product facts 4.2). */
export const onlyFor = ({ user, settings }: { user: Actor; settings: ReadCtx['settings'] }): OnlyFor =>
  isOn(settings, 'DirectTicketsToWallets') && !seesWide(user, isOn(settings, 'supervisorAdmin')) ? user.id : null

/** A page of contacts by name. */
export async function listContacts(
  ctx: ReadCtx & { user: Actor },
  query: Query,
): Promise<Returned<typeof contacts.list>> {
  if (query.pageNumber > LAST_NUMBERED_PAGE && !query.cursor) fail('ERR_PAGE_TOO_FAR')
  const after = query.cursor ? (decodeCursor(query.cursor, 2) as [string, number]) : null
  const { narrowing, isKnownMany } = await narrowingOf(ctx.db, query)
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

/**
 * What narrows a list to those whom a search and filters let through. Whatever few contacts meet is where it begins; what
 * very many meet is asked of the contacts in their order.
 */
export async function narrowingOf(
  db: Queryable,
  { searchParam, tag = [], wallet = [] }: Pick<Query, 'searchParam' | 'tag' | 'wallet'>,
): Promise<{ narrowing: Narrowing; isKnownMany: boolean }> {
  const term = searchParam && wanted(searchParam)
  const found = {
    term: term ? await searchContacts(db, term, FOUND + 1) : null,
    tags: tag.length > 0 ? await taggedContacts(db, tag, FOUND + 1) : null,
    wallets: wallet.length > 0 ? await walletContacts(db, wallet, FOUND + 1) : null,
  }
  const few = Object.values(found).filter((ids) => ids !== null && ids.length <= FOUND) as number[][]
  const isMany = (ids: number[] | null) => ids !== null && ids.length > FOUND
  const many = Object.values(found).filter(isMany).length
  return {
    narrowing: {
      ids: few.length > 0 ? few.reduce(inBoth) : null,
      term: isMany(found.term) ? (term as string) : null,
      tags: isMany(found.tags) ? tag : [],
      wallets: isMany(found.wallets) ? wallet : [],
    },
    isKnownMany: few.length === 0 && many === 1,
  }
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
