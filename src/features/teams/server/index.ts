import { fail, required } from '#kit/errors.ts'
import type { Ctx } from '#server/context.ts'
import type { Queryable } from '#server/db/db.ts'
import type { Feature } from '#server/feature.ts'
import { implement } from '#server/http/route.ts'
import { type Asked, COUNTED, countOf, pageOf, pageStartOf } from '#server/paging.ts'
import { teamEvents, teams } from '../contract.ts'
import { errors } from '../errors.ts'
import { permissions } from '../permissions.ts'
import { countMembers, deleteMember, hasUser, insertMember, listMembers, teamRows, teamsWith } from './queries.ts'

export { forgetMember } from './queries.ts'

type Query = Asked & Parameters<typeof teamRows.list>[1]

async function page(db: Queryable, query: Query, seen?: ReturnType<typeof teamsWith>) {
  const { rows, page } = await teamRows.list(db, query, seen)
  return { items: rows, ...page }
}

const keyOf = (row: { sort_name: string; id: number }) => [row.sort_name, row.id]

const one = async (db: Queryable, id: number) => required(await teamRows.find(db, id), 'ERR_NO_TEAM_FOUND')

const publish = (ctx: Ctx, id: number) => ctx.emit(teamEvents.changed, { id }, { kind: 'tenant' })

async function pair(ctx: Ctx, { userId, groupId }: { userId: number; groupId: number }): Promise<void> {
  await one(ctx.db, groupId)
  if (!(await hasUser(ctx.db, userId))) fail('ERR_NO_USER_FOUND')
}

const routes = implement(teams, {
  list: ({ db }, { query }) => page(db, query),
  mine: ({ db, user }, { query }) => page(db, query, teamsWith(user.id)),
  members: async ({ db }, { params, query }) => {
    await one(db, params.id)
    const wanted = { teamId: params.id, search: query.searchParam }
    const { rows, paging } = pageOf(await listMembers(db, wanted, pageStartOf(query, 2)), keyOf)
    return {
      items: rows.map((row) => ({
        ...{ userId: row.id, name: row.name, email: row.email },
        ...{ isOnline: row.is_online, awayUntil: row.away_until },
      })),
      ...countOf(await countMembers(db, wanted, COUNTED)),
      ...paging,
    }
  },
  create: async (ctx, { body }) => {
    const row = await teamRows.insert(ctx.db, body, ctx.now)
    publish(ctx, row.id)
    return row
  },
  update: async (ctx, { params: { id }, body }) => {
    const row = required(await teamRows.update(ctx.db, id, body, ctx.now), 'ERR_NO_TEAM_FOUND')
    publish(ctx, id)
    return row
  },
  remove: async (ctx, { params }) => {
    if (!(await teamRows.remove(ctx.db, params.id))) fail('ERR_NO_TEAM_FOUND')
    publish(ctx, params.id)
    return { message: 'ok' }
  },
  addMember: async (ctx, { body }) => {
    await pair(ctx, body)
    await insertMember(ctx.db, body.groupId, body.userId)
    publish(ctx, body.groupId)
    return { message: 'ok' }
  },
  removeMember: async (ctx, { params }) => {
    await pair(ctx, params)
    await deleteMember(ctx.db, params.groupId, params.userId)
    publish(ctx, params.groupId)
    return { message: 'ok' }
  },
})

/** Server part of the feature `teams`: teams. */
export const teamsFeature: Feature = { name: 'teams', titles: { teams: 'Equipes' }, permissions, errors, routes }
