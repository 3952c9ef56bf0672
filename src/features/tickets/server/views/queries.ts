import { sql } from 'kysely'
import { firstOf } from '#domain/present.ts'
import { lockCount } from '#server/db/caps.ts'
import type { Queryable, Tx } from '#server/db/db.ts'

/** Row of a saved view. */
export type ViewRecord = {
  readonly id: number
  readonly name: string
  readonly filter: unknown
  readonly audience: 'person' | 'queue' | 'company'
  readonly queueId: number | null
  readonly queue: string | null
  readonly userId: number | null
  readonly isDeleted: boolean
}

/** User who reads views; leads see the views of every queue. */
export type ViewReader = { readonly id: number; readonly queueIds: readonly number[]; readonly isLead: boolean }

/** Stored fields of a view. */
export type ViewValues = Pick<ViewRecord, 'name' | 'audience' | 'queueId' | 'userId'> & { readonly filter: object }

/** Maximum number of a user's own views, and of shared ones. */
export const MOST_VIEWS = 100

/**
 * Returns the views that a user may see (the company's, those of queues, own ones, each group in order), or the one with an
 * id.
 */
export async function listViews(
  db: Queryable,
  { id, queueIds, isLead }: ViewReader,
  one?: number,
): Promise<ViewRecord[]> {
  const seen = sql`(v.audience = 'company' or v.audience = 'person' and v.user_id = ${id}
    or v.audience = 'queue' and (${isLead}::boolean or v.queue_id = any(${[...queueIds]}::bigint[])))`
  // By id, removed views are included, so that they can be restored.
  const asked = one === undefined ? sql`v.deleted_at is null` : sql`v.id = ${one}`
  const { rows } = await sql<ViewRecord>`
    select v.id, v.name, v.filter, v.audience, v.queue_id as "queueId", q.queue, v.user_id as "userId",
      v.deleted_at is not null as "isDeleted"
    from ticket_views v left join queues q on q.tenant_id = v.tenant_id and q.id = v.queue_id
    where ${seen} and ${asked}
    order by array_position(array['company', 'queue', 'person'], v.audience), v.position, v.id
    limit ${3 * MOST_VIEWS}`.execute(db)
  return rows
}

/** Counts own or shared views, locked until the transaction ends. */
export async function countViews(
  db: Tx,
  { audience, userId }: Pick<ViewRecord, 'audience' | 'userId'>,
): Promise<number> {
  await lockCount(db, 'ticket_views')
  const own = audience === 'person' ? sql`audience = 'person' and user_id = ${userId}` : sql`audience <> 'person'`
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from ticket_views where deleted_at is null and ${own}`.execute(db)
  return firstOf(rows).n
}

/** Inserts a view after the existing ones and returns its id. */
export async function insertView(db: Tx, view: ViewValues, now: Date): Promise<number> {
  const { id } = await db
    .insertInto('ticket_views')
    .values({
      tenant_id: sql`app.tenant()`,
      name: view.name,
      filter: JSON.stringify(view.filter),
      audience: view.audience,
      queue_id: view.queueId,
      user_id: view.userId,
      position: sql<number>`(select coalesce(max(position), 0) + 1 from ticket_views)`,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Replaces a view's fields. */
export async function updateView(db: Tx, id: number, view: ViewValues, now: Date): Promise<void> {
  await db
    .updateTable('ticket_views')
    .set({
      name: view.name,
      filter: JSON.stringify(view.filter),
      audience: view.audience,
      queue_id: view.queueId,
      user_id: view.userId,
      updated_at: now,
    })
    .where('id', '=', id)
    .execute()
}

/** Sets the order of views. */
export async function orderViews(db: Tx, ids: readonly number[]): Promise<void> {
  await sql`update ticket_views v set position = o.position
    from unnest(${[...ids]}::bigint[]) with ordinality as o (id, position) where v.id = o.id`.execute(db)
}

/** Removes a view, or restores it (`at` null); deletes views removed before `until`. */
export async function removeView(db: Tx, id: number, at: Date | null, until: Date): Promise<void> {
  await db.deleteFrom('ticket_views').where('deleted_at', '<', until).execute()
  await db.updateTable('ticket_views').set({ deleted_at: at }).where('id', '=', id).execute()
}

/** Deletes a leaving user's own views; shared ones stay without an author. */
export async function forgetViews(db: Tx, { id }: { readonly id: number }): Promise<void> {
  await db.deleteFrom('ticket_views').where('user_id', '=', id).where('audience', '=', 'person').execute()
  await db.updateTable('ticket_views').set({ user_id: null }).where('user_id', '=', id).execute()
}

/** Ids that views refer to, by kind. */
export type Named = Readonly<Record<'queue' | 'tag' | 'connection' | 'user', readonly number[]>>

/** Returns which of the ids exist; connections must not be deleted, users must be active. */
export async function findNamed(db: Queryable, named: Named): Promise<Named> {
  const ids = (all: readonly number[]) => sql`${[...all]}::bigint[]`
  const { rows } = await sql<Record<keyof Named, number[]>>`select
    array(select id from queues where id = any(${ids(named.queue)})) as queue,
    array(select id from tags where id = any(${ids(named.tag)})) as tag,
    array(select id from connections where id = any(${ids(named.connection)}) and not is_deleted) as connection,
    array(select id from users where id = any(${ids(named.user)}) and is_active) as "user"`.execute(db)
  return firstOf(rows)
}
