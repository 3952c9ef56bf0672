import { seesWide } from '#domain/access/profiles.ts'
import type { Input, Returned } from '#kit/contract.ts'
import { decodeCursor, encodeCursor } from '#kit/cursor.ts'
import { fail } from '#kit/errors.ts'
import { isOn } from '#kit/settings.ts'
import type { Actor } from '#server/actors.ts'
import type { ReadCtx } from '#server/context.ts'
import type { contacts } from '../contract.ts'
import { loadContacts } from './queries.ts'
import { countContacts, type OnlyFor, pageOfContacts, type Source, searchContacts } from './queries-list.ts'
import { wireRow } from './wire.ts'

const PAGE = 40
const LAST_NUMBERED_PAGE = 50
const COUNTED = 1000
/** Up to so many hits a search starts from them; a commoner term is asked of the contacts in their order. */
const FOUND = 1000

/** With wallet routing on, contacts with wallets are their owners' and the leads' (product facts 4.2). */
export const onlyFor = ({ user, settings }: { user: Actor; settings: ReadCtx['settings'] }): OnlyFor =>
  isOn(settings, 'DirectTicketsToWallets') && !seesWide(user.profile, isOn(settings, 'supervisorAdmin'))
    ? user.id
    : null

/** A page of contacts by name. */
export async function listContacts(
  ctx: ReadCtx & { user: Actor },
  query: Input<typeof contacts.list>['query'],
): Promise<Returned<typeof contacts.list>> {
  if (query.pageNumber > LAST_NUMBERED_PAGE && !query.cursor) fail('ERR_PAGE_TOO_FAR')
  const after = query.cursor ? (decodeCursor(query.cursor, 2) as [string, number]) : null
  const asked = {
    onlyFor: onlyFor(ctx),
    source: await sourceOf(ctx, query.searchParam),
    narrowing: { tags: query.tag ?? [], wallets: query.wallet ?? [] },
  }
  const offset = after ? 0 : (query.pageNumber - 1) * PAGE
  const found = await pageOfContacts(ctx.db, { ...asked, after, offset, limit: PAGE + 1 })
  const count = await countContacts(ctx.db, { ...asked, most: COUNTED + 1 })
  const page = found.slice(0, PAGE)
  const last = page.at(-1)
  const hasMore = found.length > PAGE
  const rows = await loadContacts(
    ctx.db,
    page.map((row) => row.id),
  )
  return {
    contacts: rows.map((row) => wireRow(ctx.platform, row)),
    count: Math.min(count, COUNTED),
    countIsCapped: count > COUNTED,
    hasMore,
    nextCursor: hasMore && last ? encodeCursor([last.sort_name, last.id]) : null,
  }
}

async function sourceOf(ctx: ReadCtx, search: string | undefined): Promise<Source> {
  if (!search) return { kind: 'all' }
  // Numbers and documents are stored without their masks.
  const bare = search.replace(/[\s()+./-]/g, '')
  const term = /^\d+$/.test(bare) ? bare : search
  const ids = await searchContacts(ctx.db, term, FOUND + 1)
  return ids.length > FOUND ? { kind: 'scan', term } : { kind: 'found', ids }
}
