import type { Input, Returned } from '#kit/contract.ts'
import { type Actor, may } from '#server/actors.ts'
import type { ReadCtx } from '#server/context.ts'
import type { Queryable } from '#server/db/db.ts'
import { type Asked, COUNTED, countOf, pageOf, pageStartOf } from '#server/paging.ts'
import type { users } from '../contract.ts'
import { countPeople, listPeople, type Narrowing, planOf } from './queries.ts'
import { serializeManagedUser, serializeUser } from './serializer.ts'

/** Returns a page of users: administrators also get the inactive ones and the plan; others get active colleagues. */
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
    users: rows.map(manages ? serializeManagedUser : serializeUser),
    ...answer,
    plan: manages ? await planOf(ctx.db) : null,
  }
}

async function page(db: Queryable, asked: Asked, wanted: Narrowing) {
  const found = await listPeople(db, wanted, pageStartOf(asked, 2))
  const { rows, paging } = pageOf(found, (row) => [row.sort_name, row.id])
  return { rows, ...countOf(await countPeople(db, wanted, COUNTED)), ...paging }
}
