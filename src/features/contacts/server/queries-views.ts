import { sql } from 'kysely'
import type { Queryable, Tx } from '#server/db/db.ts'

/** A kept list of contacts, as it is stored. */
export type ViewRecord = {
  readonly id: number
  readonly name: string
  readonly filter: unknown
  readonly audience: 'person' | 'company'
  readonly user_id: number | null
}

/** So many views may be somebody's own, or shared. */
export const MOST_VIEWS = 100

/** The views that somebody sees: the company's, then their own, by name; one, where an id is given. */
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

/** Keeps a view; its id. */
export async function insertView(db: Tx, view: Values, now: Date): Promise<number> {
  const { id } = await db
    .insertInto('contact_views')
    .values({ tenant_id: sql`app.tenant()`, ...columns(view, now), created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Writes a view anew. */
export async function updateView(db: Tx, id: number, view: Values, now: Date): Promise<void> {
  await db.updateTable('contact_views').set(columns(view, now)).where('id', '=', id).execute()
}

/** Removes a view. */
export async function removeView(db: Tx, id: number): Promise<void> {
  await db.deleteFrom('contact_views').where('id', '=', id).execute()
}

/** Own views go with who leaves; shared ones stay, as nobody's. */
export async function forgetContactViews(db: Tx, { id }: { readonly id: number }): Promise<void> {
  await db.deleteFrom('contact_views').where('user_id', '=', id).where('audience', '=', 'person').execute()
  await db.updateTable('contact_views').set({ user_id: null }).where('user_id', '=', id).execute()
}
