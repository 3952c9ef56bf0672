import { type Insertable, sql } from 'kysely'
import type { Plans } from '#db/types.ts'
import type { Tx } from '#server/db/db.ts'
import { patternOf } from '#server/db/like.ts'

type Row = Insertable<Plans>

const columns = ['id', 'name', 'value', 'connections', 'users', 'trial', 'trial_period', 'is_active'] as const

const withTenants = (db: Tx) =>
  db
    .selectFrom('plans')
    .select(columns)
    .select(sql<number>`(select count(*) from tenants t where t.plan_id = plans.id)`.as('tenants'))

/** The first `most` plans that somebody may sign up for, the cheapest first. */
export const listOffered = (db: Tx, most: number) =>
  db
    .selectFrom('plans')
    .select(columns)
    .where('is_active', '=', true)
    .orderBy('value')
    .orderBy('id')
    .limit(most)
    .execute()

/** A page of all plans by name; `after` is the last (name, id) of the page before. */
export async function listPlans(
  db: Tx,
  input: { search: string | undefined; after: [string, number] | null; offset: number; limit: number },
) {
  let query = withTenants(db)
  if (input.search) query = query.where('name', 'ilike', patternOf(input.search))
  if (input.after) query = query.where(sql<boolean>`(name, id) > (${input.after[0]}, ${input.after[1]})`)
  return query.orderBy('name').orderBy('id').offset(input.offset).limit(input.limit).execute()
}

/** One plan with its number of companies. */
export const findPlan = (db: Tx, id: number) => withTenants(db).where('id', '=', id).executeTakeFirst()

/** Stores a plan and answers the id. */
export async function insertPlan(db: Tx, row: Row): Promise<number> {
  return (await db.insertInto('plans').values(row).returning('id').executeTakeFirstOrThrow()).id
}

/** Changes a plan; false when there is none. */
export async function updatePlan(db: Tx, id: number, row: Row): Promise<boolean> {
  const changed = await db
    .updateTable('plans')
    .set({ ...row, updated_at: sql`app.now()` })
    .where('id', '=', id)
    .executeTakeFirst()
  return changed.numUpdatedRows > 0n
}

/** Deletes a plan; false when there is none. */
export async function deletePlan(db: Tx, id: number): Promise<boolean> {
  return (await db.deleteFrom('plans').where('id', '=', id).executeTakeFirst()).numDeletedRows > 0n
}

/** Whether somebody cannot log in by the own e-mail before it is confirmed. */
export async function isWaiting(db: Tx, tenantId: number, userId: number): Promise<boolean> {
  const query = db
    .selectFrom('users')
    .select('waiting_email')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', userId)
  return (await query.executeTakeFirstOrThrow()).waiting_email !== null
}
