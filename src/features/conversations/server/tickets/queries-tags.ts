import { sql } from 'kysely'
import { withTagMerged } from '#domain/merged-tags.ts'
import type { Tx } from '#server/db/db.ts'

/** So many live tickets with a tag are told of at once; others are seen when they are read again. */
const MOST_PUBLISHED = 500

/** Live tickets with a tag. */
export async function liveWithTag(db: Tx, tagId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select t.id from ticket_tags m join tickets t on t.tenant_id = m.tenant_id and t.id = m.ticket_id
    where m.tenant_id = app.tenant() and m.tag_id = ${tagId} and t.status in ('open', 'pending')
    order by t.id limit ${MOST_PUBLISHED}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Tickets, saved lists of them and macros have one tag in the place of another. */
export async function replaceTag(db: Tx, from: number, into: number): Promise<void> {
  await sql`insert into ticket_tags (tenant_id, ticket_id, tag_id)
    select tenant_id, ticket_id, ${into} from ticket_tags where tenant_id = app.tenant() and tag_id = ${from}
    order by ticket_id on conflict do nothing`.execute(db)
  await db.deleteFrom('ticket_tags').where('tag_id', '=', from).execute()
  const merge = { from, into }
  for (const { id, filter } of await db.selectFrom('ticket_views').select(['id', 'filter']).forUpdate().execute())
    await db
      .updateTable('ticket_views')
      .set({ filter: JSON.stringify(withTagMerged(filter, merge)) })
      .where('id', '=', id)
      .execute()
  for (const { id, actions } of await db.selectFrom('macros').select(['id', 'actions']).forUpdate().execute())
    await db
      .updateTable('macros')
      .set({ actions: JSON.stringify(withTagMerged(actions, merge)) })
      .where('id', '=', id)
      .execute()
}
