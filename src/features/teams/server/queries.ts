import { type SqlBool, sql } from 'kysely'
import { countUpTo } from '#server/db/count.ts'
import type { Queryable, Tx } from '#server/db/db.ts'
import { containing } from '#server/db/like.ts'
import type { PageStart } from '#server/paging.ts'
import { tableOf } from '#server/table.ts'
import type { TeamRow } from '../contract.ts'
import { teamTable } from '../table.ts'

const SHOWN_PEOPLE = 5

const people = sql`team_members m join users u on u.tenant_id = m.tenant_id and u.id = m.user_id
  where m.tenant_id = teams.tenant_id and m.team_id = teams.id and u.is_active`

/** Table access to teams, with their number of active members and some names. */
export const teamRows = tableOf<Omit<TeamRow, 'createdAt' | 'updatedAt'> & { createdAt: Date; updatedAt: Date }>(
  teamTable,
  [
    sql`(select count(*) from ${people}) as "userCount"`,
    sql`coalesce((select jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name))
      from (select u.id, u.name from ${people} order by app.fold(u.name), u.id limit ${sql.lit(SHOWN_PEOPLE)}) p), '[]') as people`,
  ],
)

/** SQL filter for the active teams of a user. */
export const teamsWith = (userId: number) => sql<SqlBool>`is_active and exists (select from team_members m
  where m.tenant_id = teams.tenant_id and m.team_id = teams.id and m.user_id = ${userId})`

type OfTeam = { teamId: number; search: string | undefined }

const members = (db: Queryable, { teamId, search }: OfTeam) =>
  db
    .selectFrom('team_members as m')
    .innerJoin('users as u', (join) => join.onRef('u.tenant_id', '=', 'm.tenant_id').onRef('u.id', '=', 'm.user_id'))
    .select(['u.id', 'u.name', 'u.email', 'u.is_online', 'u.away_until', sql<string>`app.fold(u.name)`.as('sort_name')])
    .where('m.team_id', '=', teamId)
    .where('u.is_active', '=', true)
    .where(containing(`u.name || ' ' || u.email`, search))

/** Returns a page of a team's active members, by name; `after` is the last (sort_name, id). */
export async function listMembers(
  db: Queryable,
  wanted: OfTeam,
  { after, offset, limit }: PageStart<[string, number]>,
) {
  let query = members(db, wanted)
  if (after) query = query.where(sql<SqlBool>`(app.fold(u.name), u.id) > (${after[0]}::text, ${after[1]}::bigint)`)
  return query.orderBy('sort_name').orderBy('u.id').limit(limit).offset(offset).execute()
}

/** Counts a team's active members, up to `most`. */
export const countMembers = (db: Queryable, wanted: OfTeam, most: number): Promise<number> =>
  countUpTo(db, members(db, wanted), most)

/** Whether the company has this active user. */
export async function hasUser(db: Queryable, id: number): Promise<boolean> {
  const user = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', id)
    .where('is_active', '=', true)
    .executeTakeFirst()
  return user !== undefined
}

/** Adds a user to a team, unless already a member. */
export async function insertMember(db: Tx, teamId: number, userId: number): Promise<void> {
  await db
    .insertInto('team_members')
    .values({ tenant_id: sql<number>`app.tenant()`, team_id: teamId, user_id: userId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Removes a user from a team. */
export async function deleteMember(db: Tx, teamId: number, userId: number): Promise<void> {
  await db.deleteFrom('team_members').where('team_id', '=', teamId).where('user_id', '=', userId).execute()
}

/** Removes a user who leaves from all teams. */
export async function forgetMember(db: Tx, { id }: { readonly id: number }): Promise<void> {
  await db.deleteFrom('team_members').where('user_id', '=', id).execute()
}
