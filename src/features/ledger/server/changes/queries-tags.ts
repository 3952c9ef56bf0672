import { sql } from 'kysely'
import type { Tx } from '#server/db/db.ts'
import { relinkTag, renameTagIn } from '#server/merged-tags.ts'

/** Maximum number of live tickets whose new tag is published at once; others update when reloaded. */
const MOST_PUBLISHED = 500

/** Returns the live tickets with a tag. */
export async function liveWithTag(db: Tx, tagId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select t.id from ticket_tags m join tickets t on t.tenant_id = m.tenant_id and t.id = m.ticket_id
    where m.tenant_id = app.tenant() and m.tag_id = ${tagId} and t.status in ('open', 'pending')
    order by t.id limit ${MOST_PUBLISHED}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Replaces a tag by another one in tickets, saved lists and macros. */
export async function replaceTag(db: Tx, from: number, into: number): Promise<void> {
  const merge = { from, into }
  await relinkTag(db, 'ticket_tags', 'ticket_id', merge)
  await renameTagIn(db, 'ticket_views', ['filter'], merge)
  await renameTagIn(db, 'macros', ['actions'], merge)
}
