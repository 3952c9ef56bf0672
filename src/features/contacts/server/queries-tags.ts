import { sql } from 'kysely'
import { withTagMerged } from '#domain/merged-tags.ts'
import type { Ctx } from '#server/context.ts'

/** Contacts, saved lists of them and imports have one tag in the place of another. */
export async function mergeTagsOfContacts({ db }: Ctx, from: number, into: number): Promise<void> {
  await sql`insert into contact_tags (tenant_id, contact_id, tag_id)
    select tenant_id, contact_id, ${into} from contact_tags where tenant_id = app.tenant() and tag_id = ${from}
    order by contact_id on conflict do nothing`.execute(db)
  await db.deleteFrom('contact_tags').where('tag_id', '=', from).execute()
  const merge = { from, into }
  for (const { id, filter } of await db.selectFrom('contact_views').select(['id', 'filter']).forUpdate().execute())
    await db
      .updateTable('contact_views')
      .set({ filter: JSON.stringify(withTagMerged(filter, merge)) })
      .where('id', '=', id)
      .execute()
  const imports = await db.selectFrom('contact_imports').select(['id', 'options']).forUpdate().execute()
  for (const { id, options } of imports)
    await db
      .updateTable('contact_imports')
      .set({ options: JSON.stringify(withTagMerged(options, merge)) })
      .where('id', '=', id)
      .execute()
}
