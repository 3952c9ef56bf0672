import { type SqlBool, sql } from 'kysely'
import type { Tx } from '#server/db/db.ts'

/** Stores a user of any company and answers the id; as the platform. */
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

const containing = (column: string, text: string | undefined) =>
  text
    ? sql<SqlBool>`app.fold(${sql.raw(column)}) like app.fold(${`%${text.replace(/[\\%_]/g, '\\$&')}%`}::text)`
    : sql<SqlBool>`true`

/** A page of the users of all companies, by company and name; as the platform. */
export async function listEverybody(
  db: Tx,
  input: {
    search: string | undefined
    tenantId: number | undefined
    after: [string, string, number] | null
    limit: number
  },
) {
  let query = db
    .selectFrom('users as u')
    .innerJoin('tenants as t', 't.id', 'u.tenant_id')
    .select([
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
    .where('u.deleted_at', 'is', null)
    .where(containing(`u.name || ' ' || u.email || ' ' || u.phone || ' ' || t.name`, input.search))
  if (input.tenantId) query = query.where('u.tenant_id', '=', input.tenantId)
  if (input.after)
    query = query.where(
      sql<SqlBool>`(app.fold(t.name), app.fold(u.name), u.id) > (${input.after[0]}, ${input.after[1]}, ${input.after[2]}::bigint)`,
    )
  return query.orderBy('sort_tenant').orderBy('sort_name').orderBy('u.id').limit(input.limit).execute()
}

/** The companies by name, with how much of their plan is used, for a picker; as the platform. */
export async function listCompanies(
  db: Tx,
  input: { search: string | undefined; after: [string, number] | null; limit: number },
) {
  let query = db
    .selectFrom('tenants as t')
    .select(['t.id', 't.name', 't.max_users', sql<string>`app.fold(t.name)`.as('sort_name')])
    .select(sql<number>`(select count(*) from users u where u.tenant_id = t.id and u.is_active)`.as('used'))
    .where(containing('t.name', input.search))
  if (input.after)
    query = query.where(sql<SqlBool>`(app.fold(t.name), t.id) > (${input.after[0]}, ${input.after[1]}::bigint)`)
  return query.orderBy('sort_name').orderBy('t.id').limit(input.limit).execute()
}

/** Whether the company exists; as the platform. */
export const findCompany = (db: Tx, id: number) =>
  db.selectFrom('tenants').select('id').where('id', '=', id).executeTakeFirst()
