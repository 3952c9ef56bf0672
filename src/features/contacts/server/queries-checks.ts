import { sql } from 'kysely'
import type { Queryable, Tx } from '#server/db/db.ts'

/** Returns the connection with an id, or all that are not deleted, the default one first. */
export const findChannels = (db: Queryable, id?: number) =>
  db
    .selectFrom('connections')
    .select(['id', 'name', 'type', 'status'])
    .where('is_deleted', '=', false)
    .$if(id !== undefined, (query) => query.where('id', '=', id!))
    .orderBy('is_default', 'desc')
    .orderBy('id')
    .limit(200)
    .execute()

// Contacts whose number was never checked, or not since `since`.
const unchecked = (db: Queryable, since: Date) =>
  db
    .selectFrom('contacts')
    .where('number', 'is not', null)
    .where('is_group', '=', false)
    .where((row) => row.or([row('wa_checked_at', 'is', null), row('wa_checked_at', '<', since)]))

/** Counts the contacts whose number was not checked since `since`. */
export async function countUnchecked(db: Queryable, since: Date): Promise<number> {
  const { n } = await unchecked(db, since)
    .select((one) => one.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return n
}

/** Returns up to `most` unchecked contacts after an id. */
export const nextUnchecked = (db: Queryable, { since, after, most }: { since: Date; after: number; most: number }) =>
  unchecked(db, since)
    .select(['id', 'number'])
    .$narrowType<{ number: string }>()
    .where('id', '>', after)
    .orderBy('id')
    .limit(most)
    .execute()

/** Stores the results of number checks, unless the number has changed; returns the ids of changed contacts. */
export async function writeChecked(
  db: Tx,
  found: readonly { id: number; number: string; isReached: boolean }[],
  now: Date,
): Promise<number[]> {
  const { rows } = await sql<{ id: number; changed: boolean }>`
    with told as materialized (
      select c.id, c.is_wa_contact is distinct from t."isReached" as changed, t."isReached" as reached
      from jsonb_to_recordset(${JSON.stringify(found)}::jsonb) as t (id bigint, number text, "isReached" boolean)
      join contacts c on c.tenant_id = app.tenant() and c.id = t.id and c.number = t.number
      order by c.id for update of c)
    update contacts c set is_wa_contact = told.reached, wa_checked_at = ${now} from told
    where c.tenant_id = app.tenant() and c.id = told.id returning c.id, told.changed`.execute(db)
  return rows.filter(({ changed }) => changed).map(({ id }) => id)
}

/** Deletes the pictures of contacts with conversations on a connection; returns their ids. */
export async function removePictures(db: Tx, connectionId: number, now: Date): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    update contacts c set profile_pic_file = null, updated_at = ${now}
    where c.tenant_id = app.tenant() and c.profile_pic_file is not null and exists (
      select from tickets t where t.tenant_id = c.tenant_id and t.contact_id = c.id and t.connection_id = ${connectionId})
    returning c.id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Returns the number of a contact. */
export const findNumber = async (db: Queryable, id: number): Promise<string | null> =>
  (await db.selectFrom('contacts').select('number').where('id', '=', id).executeTakeFirst())?.number ?? null
