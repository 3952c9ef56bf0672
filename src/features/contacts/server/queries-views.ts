import { sql } from 'kysely'
import type { Queryable, Tx } from '#server/db/db.ts'

/** Row of a saved view of contacts. */
export type ViewRecord = {
  readonly id: number
  readonly name: string
  readonly filter: unknown
  readonly audience: 'person' | 'company'
  readonly user_id: number | null
}

/** Maximum number of a user's own views, and of shared ones. */
export const MOST_VIEWS = 100

/** Returns the views that a user may see: the company's, then own ones, by name; or the one with an id. */
export const listViews = (db: Queryable, userId: number, one?: number): Promise<ViewRecord[]> =>
  db
    .selectFrom('contact_views')
    .select(['id', 'name', 'filter', 'audience', 'user_id'])
    .where((row) => row.or([row('audience', '=', 'company'), row('user_id', '=', userId)]))
    .$if(one !== undefined, (query) => query.where('id', '=', one!))
    .orderBy('audience')
    .orderBy(sql`app.fold(name)`)
    .orderBy('id')
    .limit(2 * MOST_VIEWS)
    .execute()

type Values = Pick<ViewRecord, 'name' | 'audience'> & { readonly userId: number; readonly filter: object }

const columns = ({ name, filter, audience, userId }: Values, now: Date) => ({
  name,
  filter: JSON.stringify(filter),
  audience,
  user_id: userId,
  updated_at: now,
})

/** Inserts a view and returns its id. */
export async function insertView(db: Tx, view: Values, now: Date): Promise<number> {
  const { id } = await db
    .insertInto('contact_views')
    .values({ tenant_id: sql`app.tenant()`, ...columns(view, now), created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Replaces a view's fields. */
export async function updateView(db: Tx, id: number, view: Values, now: Date): Promise<void> {
  await db.updateTable('contact_views').set(columns(view, now)).where('id', '=', id).execute()
}

/** Removes a view. */
export async function removeView(db: Tx, id: number): Promise<void> {
  await db.deleteFrom('contact_views').where('id', '=', id).execute()
}

/** Deletes a leaving user's own views; shared ones stay without owner. */
export async function forgetContactViews(db: Tx, { id }: { readonly id: number }): Promise<void> {
  await db.deleteFrom('contact_views').where('user_id', '=', id).where('audience', '=', 'person').execute()
  await db.updateTable('contact_views').set({ user_id: null }).where('user_id', '=', id).execute()
}
