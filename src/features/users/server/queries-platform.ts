import { type SqlBool, sql } from 'kysely'
import { countUpTo } from '#server/db/count.ts'
import type { Tx } from '#server/db/db.ts'
import { containing } from '#server/db/like.ts'
import type { PageStart } from '#server/paging.ts'

/** Inserts a user of any company and returns the id; requires platform database access. */
export async function insertUser(
  db: Tx,
  row: {
    tenant_id: number
    name: string
    email: string
    username: string | null
    profile: string
    password_hash: string | null
  },
): Promise<number> {
  return (await db.insertInto('users').values(row).returning('id').executeTakeFirstOrThrow()).id
}

type Wanted = { search: string | undefined; tenantId: number | undefined }

const everybody = (db: Tx, { search, tenantId }: Wanted) =>
  db
    .selectFrom('users as u')
    .innerJoin('tenants as t', 't.id', 'u.tenant_id')
    .where('u.deleted_at', 'is', null)
    .where(containing(`u.name || ' ' || u.email || ' ' || u.phone || ' ' || t.name`, search))
    .$if(tenantId !== undefined, (query) => query.where('u.tenant_id', '=', tenantId!))

/** Returns a page of the users of all companies, by company and name; requires platform database access. */
export async function listEverybody(
  db: Tx,
  wanted: Wanted,
  { after, offset, limit }: PageStart<[string, string, number]>,
) {
  let query = everybody(db, wanted).select([
    'u.id',
    'u.tenant_id',
    't.name as tenant_name',
    'u.name',
    'u.email',
    'u.username',
    'u.phone',
    'u.profile',
    'u.restricted_user',
    'u.is_active',
    'u.is_support',
    'u.last_login',
    'u.password_hash',
    sql<string>`app.fold(t.name)`.as('sort_tenant'),
    sql<string>`app.fold(u.name)`.as('sort_name'),
  ])
  if (after)
    query = query.where(
      sql<SqlBool>`(app.fold(t.name), app.fold(u.name), u.id) > (${after[0]}::text, ${after[1]}::text, ${after[2]}::bigint)`,
    )
  return query.orderBy('sort_tenant').orderBy('sort_name').orderBy('u.id').limit(limit).offset(offset).execute()
}

/** Counts the users of all companies, up to `most`; requires platform database access. */
export const countEverybody = (db: Tx, wanted: Wanted, most: number): Promise<number> =>
  countUpTo(db, everybody(db, wanted).select('u.id'), most)

/** Returns a page of the companies by name, with their plan usage; requires platform database access. */
export async function listCompanies(
  db: Tx,
  search: string | undefined,
  { after, offset, limit }: PageStart<[string, number]>,
) {
  let query = db
    .selectFrom('tenants as t')
    .select(['t.id', 't.name', 't.max_users', sql<string>`app.fold(t.name)`.as('sort_name')])
    .select(sql<number>`(select count(*) from users u where u.tenant_id = t.id and u.is_active)`.as('used'))
    .where(containing('t.name', search))
  if (after) query = query.where(sql<SqlBool>`(app.fold(t.name), t.id) > (${after[0]}::text, ${after[1]}::bigint)`)
  return query.orderBy('sort_name').orderBy('t.id').limit(limit).offset(offset).execute()
}

/** Counts the companies, up to `most`; requires platform database access. */
export const countCompanies = (db: Tx, search: string | undefined, most: number): Promise<number> =>
  countUpTo(db, db.selectFrom('tenants as t').select('t.id').where(containing('t.name', search)), most)

/** Finds a company; requires platform database access. */
export const findCompany = (db: Tx, id: number) =>
  db.selectFrom('tenants').select('id').where('id', '=', id).executeTakeFirst()
