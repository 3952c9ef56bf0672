import { sql } from 'kysely'
import { type MergeState, withKeyRenamed } from '#domain/contacts/person.ts'
import type { Ctx } from '#server/context.ts'
import { relinkTag, renameTagIn } from '#server/merged-tags.ts'

/** Replaces a tag by another on contacts, in stored merge states, saved views and imports. */
export async function mergeTagsOfContacts({ db }: Ctx, from: number, into: number): Promise<void> {
  const merge = { from, into }
  await relinkTag(db, 'contact_tags', 'contact_id', merge)
  const [oldKey, newKey] = [`tag:${from}`, `tag:${into}`]
  const { rows } = await sql<{ id: number; state: MergeState }>`
    select id, merge_state as state from contacts
    where id = any(array(select unnest(array[m.id, m.merged_into]) from contacts m where m.merged_into is not null))
      and (merge_state -> 'own' ->> ${oldKey} is not null or merge_state -> 'shown' ->> ${oldKey} is not null)
    order by id for update`.execute(db)
  for (const { id, state } of rows)
    await sql`update contacts set merge_state = ${JSON.stringify(withKeyRenamed(state, oldKey, newKey))}::jsonb where id = ${id}`.execute(
      db,
    )
  await renameTagIn(db, 'contact_views', ['filter'], merge)
  await renameTagIn(db, 'contact_imports', ['options'], merge)
}
