import type { Input, Returned } from '#kit/contract.ts'
import { decodeCursor, encodeCursor } from '#kit/cursor.ts'
import { fail } from '#kit/errors.ts'
import { type Actor, may } from '#server/actors.ts'
import type { ReadCtx } from '#server/context.ts'
import type { Queryable } from '#server/db/db.ts'
import type { users } from '../contract.ts'
import { countPeople, listPeople, type Narrowing, planOf } from './queries.ts'
import { wireManaged, wireRow } from './wire.ts'

const PAGE = 40
const LAST_NUMBERED_PAGE = 50
const COUNTED = 1000

type Asked = { pageNumber: number; cursor?: string | undefined }

/** A page of users: whoever administers them sees the inactive ones too, and the plan; others see active colleagues. */
export async function listUsers(
  ctx: ReadCtx & { user: Actor },
  query: Input<typeof users.list>['query'],
): Promise<Returned<typeof users.list>> {
  const manages = may(ctx.user, ctx.settings, 'users:write')
  const { rows, ...answer } = await page(ctx.db, query, {
    search: query.searchParam,
    queueId: query.queueId,
    profiles: query.profile,
    status: manages ? query.status : 'active',
    assignable: query.assignable,
  })
  return {
    users: rows.map(manages ? wireManaged : wireRow),
    ...answer,
    plan: manages ? await planOf(ctx.db) : null,
  }
}

/** The colleagues as the private chat lists them; until there is one, nobody has written. */
export async function listForChat(
  ctx: ReadCtx & { user: Actor },
  query: Input<typeof users.privateChat>['query'],
): Promise<Returned<typeof users.privateChat>> {
  const wanted = { search: query.searchParam, status: 'active', except: ctx.user.id } as const
  const { rows, ...answer } = await page(ctx.db, query, wanted)
  const colleagues = rows.map((row) => ({
    id: row.id,
    name: row.name,
    isOnline: row.is_online,
    unreadCount: 0,
    timestamp: null,
  }))
  return { users: colleagues, ...answer }
}

async function page(db: Queryable, { pageNumber, cursor }: Asked, wanted: Narrowing) {
  if (pageNumber > LAST_NUMBERED_PAGE && !cursor) fail('ERR_PAGE_TOO_FAR')
  const after = cursor ? (decodeCursor(cursor, 2) as [string, number]) : null
  const found = await listPeople(db, wanted, { after, offset: after ? 0 : (pageNumber - 1) * PAGE, limit: PAGE + 1 })
  const count = await countPeople(db, wanted, COUNTED + 1)
  const rows = found.slice(0, PAGE)
  const last = rows.at(-1)
  const hasMore = found.length > PAGE
  return {
    rows,
    count: Math.min(count, COUNTED),
    countIsCapped: count > COUNTED,
    hasMore,
    nextCursor: hasMore && last ? encodeCursor([last.sort_name, last.id]) : null,
  }
}
