import { type SqlBool, sql, type Updateable } from 'kysely'
import type { Teams } from '#db/types.ts'
import type { Queryable, Tx } from '#server/db/db.ts'
import { containing } from '#server/db/like.ts'
import type { PageStart } from '#server/paging.ts'

const SHOWN_PEOPLE = 5

const people = sql`team_members m join users u on u.tenant_id = m.tenant_id and u.id = m.user_id
  where m.tenant_id = teams.tenant_id and m.team_id = teams.id and u.is_active`

const teams = (db: Queryable) =>
  db
    .selectFrom('teams')
    .selectAll('teams')
    .select([
      sql<number>`(select count(*) from ${people})`.as('user_count'),
      sql<{ id: number; name: string }[]>`coalesce((select jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name))
        from (select u.id, u.name from ${people} order by app.fold(u.name), u.id limit ${sql.lit(SHOWN_PEOPLE)}) p), '[]')`.as(
        'people',
      ),
      sql<string>`app.fold(name)`.as('sort_name'),
    ])

/** A team as `listTeams` and `findTeam` read it. */
export type TeamRecord = Awaited<ReturnType<typeof listTeams>>[number]

type Narrowing = { search: string | undefined; ofUser?: number }

const narrowing = ({ search, ofUser }: Narrowing) =>
  ofUser === undefined
    ? containing('name', search)
    : sql<SqlBool>`${containing('name', search)} and is_active and exists (select from team_members m
        where m.tenant_id = teams.tenant_id and m.team_id = teams.id and m.user_id = ${ofUser})`

/** A page of teams by name; `ofUser`: the active ones that the user is in. `after` is the last (sort_name, id). */
export async function listTeams(
  db: Queryable,
  wanted: Narrowing,
  { after, offset, limit }: PageStart<[string, number]>,
) {
  let query = teams(db).where(narrowing(wanted))
  if (after) query = query.where(sql<SqlBool>`(app.fold(name), id) > (${after[0]}::text, ${after[1]}::bigint)`)
  return query.orderBy('sort_name').orderBy('id').limit(limit).offset(offset).execute()
}

/** How many there are, counted up to `most`. */
export async function countTeams(db: Queryable, wanted: Narrowing, most: number): Promise<number> {
  const counted = db.selectFrom('teams').select('id').where(narrowing(wanted)).limit(most)
  const { n } = await db
    .selectFrom(counted.as('counted'))
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return n
}

/** One team. */
export const findTeam = (db: Queryable, id: number) => teams(db).where('id', '=', id).executeTakeFirst()

type OfTeam = { teamId: number; search: string | undefined }

const members = (db: Queryable, { teamId, search }: OfTeam) =>
  db
    .selectFrom('team_members as m')
    .innerJoin('users as u', (join) => join.onRef('u.tenant_id', '=', 'm.tenant_id').onRef('u.id', '=', 'm.user_id'))
    .select(['u.id', 'u.name', 'u.email', 'u.is_online', sql<string>`app.fold(u.name)`.as('sort_name')])
    .where('m.team_id', '=', teamId)
    .where('u.is_active', '=', true)
    .where(containing(`u.name || ' ' || u.email`, search))

/** A page of the active people of a team, by name; `after` is the last (sort_name, id). */
export async function listMembers(
  db: Queryable,
  wanted: OfTeam,
  { after, offset, limit }: PageStart<[string, number]>,
) {
  let query = members(db, wanted)
  if (after) query = query.where(sql<SqlBool>`(app.fold(u.name), u.id) > (${after[0]}::text, ${after[1]}::bigint)`)
  return query.orderBy('sort_name').orderBy('u.id').limit(limit).offset(offset).execute()
}

/** How many active people are in a team, counted up to `most`. */
export async function countMembers(db: Queryable, wanted: OfTeam, most: number): Promise<number> {
  const { n } = await db
    .selectFrom(members(db, wanted).limit(most).as('counted'))
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return n
}

/** Stores a team and answers the id. */
export async function insertTeam(db: Tx, row: { name: string; is_active: boolean }): Promise<number> {
  const made = await db
    .insertInto('teams')
    .values({ ...row, tenant_id: sql<number>`app.tenant()` })
    .returning('id')
    .executeTakeFirstOrThrow()
  return made.id
}

/** Changes a team; false when there is none. */
export async function updateTeam(db: Tx, id: number, change: Updateable<Teams>): Promise<boolean> {
  const result = await db
    .updateTable('teams')
    .set({ ...change, updated_at: sql`app.now()` })
    .where('id', '=', id)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Removes a team; false when there is none. */
export async function deleteTeam(db: Tx, id: number): Promise<boolean> {
  return (await db.deleteFrom('teams').where('id', '=', id).executeTakeFirst()).numDeletedRows > 0n
}

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

/** Puts somebody into a team; who is in it stays in it. */
export async function insertMember(db: Tx, teamId: number, userId: number): Promise<void> {
  await db
    .insertInto('team_members')
    .values({ tenant_id: sql<number>`app.tenant()`, team_id: teamId, user_id: userId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Takes somebody out of a team. */
export async function deleteMember(db: Tx, teamId: number, userId: number): Promise<void> {
  await db.deleteFrom('team_members').where('team_id', '=', teamId).where('user_id', '=', userId).execute()
}

/** Who leaves is in no team. */
export async function forgetMember(db: Tx, { id }: { readonly id: number }): Promise<void> {
  await db.deleteFrom('team_members').where('user_id', '=', id).execute()
}
