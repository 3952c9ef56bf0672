import { sql } from 'kysely'
import type { Queryable, Tx } from '#server/db/db.ts'

const notes = (db: Queryable) =>
  db
    .selectFrom('opportunity_notes as n')
    .leftJoin('users as u', (join) => join.onRef('u.tenant_id', '=', 'n.tenant_id').onRef('u.id', '=', 'n.user_id'))
    .select([
      'n.id',
      'n.opportunity_id as opportunityId',
      'n.text',
      'n.user_id as userId',
      'u.name as userName',
      'n.created_at as createdAt',
    ])

/** Returns the notes of an opportunity, newest first; `before` is the last one of the previous page. */
export const pageOfNotes = (db: Queryable, opportunityId: number, before: number | null, limit: number) =>
  notes(db)
    .where('n.opportunity_id', '=', opportunityId)
    .$if(before !== null, (query) => query.where('n.id', '<', before))
    .orderBy('n.id', 'desc')
    .limit(limit)
    .execute()

/** Returns a note. */
export const findNote = (db: Queryable, id: number) => notes(db).where('n.id', '=', id).executeTakeFirst()

/** Inserts a note and returns its id. */
export async function insertNote(
  db: Tx,
  note: { readonly opportunityId: number; readonly userId: number; readonly text: string },
  at: Date,
): Promise<number> {
  const { id } = await db
    .insertInto('opportunity_notes')
    .values({
      tenant_id: sql<number>`app.tenant()`,
      ...{ opportunity_id: note.opportunityId, user_id: note.userId, text: note.text, created_at: at },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Removes a note. */
export const removeNote = (db: Tx, id: number) => db.deleteFrom('opportunity_notes').where('id', '=', id).execute()

/** Deletes the notes on opportunities of contacts. */
export async function removeNotesOf(db: Tx, contactIds: readonly number[]): Promise<void> {
  await sql`delete from opportunity_notes where tenant_id = app.tenant() and opportunity_id in
    (select id from opportunities where contact_id = any(${[...contactIds]}::bigint[]))`.execute(db)
}
