import { sql } from 'kysely'
import { firstOf } from '#domain/present.ts'
import type { Queryable, Tx } from '#server/db/db.ts'

/** Whether any contact or ticket has the tag. */
export async function tagIsUsed(db: Queryable, tagId: number): Promise<boolean> {
  const { rows } = await sql<{ used: boolean }>`select
    exists (select from contact_tags where tag_id = ${tagId}) or
    exists (select from ticket_tags where tag_id = ${tagId}) as used`.execute(db)
  return firstOf(rows).used
}

/** Removes all farewells; returns the removed ones. */
export const removeFarewells = (db: Tx): Promise<{ id: number; name: string }[]> =>
  db.deleteFrom('farewells').returning(['id', 'name']).execute()

/** Counts the contacts and tickets of each tag in use. */
export async function countTagUses(db: Queryable): Promise<{ id: number; contacts: number; tickets: number }[]> {
  const { rows } = await sql<{ id: number; contacts: number; tickets: number }>`
    select id, sum(contacts)::int as contacts, sum(tickets)::int as tickets from (
      select tag_id as id, count(*) as contacts, 0 as tickets from contact_tags where tenant_id = app.tenant() group by 1
      union all select tag_id, 0, count(*) from ticket_tags where tenant_id = app.tenant() group by 1
    ) counted group by 1`.execute(db)
  return rows
}

/** Finds tags by id, locked until the transaction ends. */
export async function lockTags(db: Tx, ids: readonly number[]): Promise<Map<number, string>> {
  const rows = await db
    .selectFrom('tags')
    .select(['id', 'tag'])
    .where('id', 'in', ids)
    .orderBy('id')
    .forUpdate()
    .execute()
  return new Map(rows.map(({ id, tag }) => [id, tag]))
}

/** Creates tags in the form's default colour; returns the ids of new ones. */
export async function insertTags(db: Tx, names: readonly string[], now: Date): Promise<number[]> {
  const values = names.map((tag) => ({
    tenant_id: sql<number>`app.tenant()`,
    tag,
    color: '#3874B6',
    created_at: now,
    updated_at: now,
  }))
  const rows = await db
    .insertInto('tags')
    .values(values)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Removes a tag without remaining references. */
export async function removeTag(db: Tx, id: number): Promise<void> {
  await db.deleteFrom('tags').where('id', '=', id).execute()
}
