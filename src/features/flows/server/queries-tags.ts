import { sql } from 'kysely'
import { flowWithTagMerged, type TagMerge, withTagMerged } from '#domain/merged-tags.ts'
import type { Tx } from '#server/db/db.ts'

/** Replaces a tag in drafts, versions and cases; increments the revision of changed drafts. */
export async function replaceTag(db: Tx, merge: TagMerge, now: Date): Promise<void> {
  const changed = (before: unknown) => {
    const after = flowWithTagMerged(before, merge)
    return JSON.stringify(after) === JSON.stringify(before) ? null : JSON.stringify(after)
  }
  for (const { id, definition } of await db
    .selectFrom('chat_flows')
    .select(['id', 'definition'])
    .forUpdate()
    .execute()) {
    const after = changed(definition)
    if (after)
      await db
        .updateTable('chat_flows')
        .set({ definition: after, revision: sql<number>`revision + 1`, updated_at: now })
        .where('id', '=', id)
        .execute()
  }
  const versions = await db
    .selectFrom('chat_flow_versions')
    .select(['chat_flow_id', 'version', 'definition'])
    .where(sql<boolean>`definition @? '$.**.type ? (@ == "TagField")' or definition @? '$.**.on ? (@ == "tags")'`)
    .execute()
  for (const { chat_flow_id, version, definition } of versions) {
    const after = changed(definition)
    if (after)
      await db
        .updateTable('chat_flow_versions')
        .set({ definition: after })
        .where('chat_flow_id', '=', chat_flow_id)
        .where('version', '=', version)
        .execute()
  }
  const cases = await db
    .selectFrom('flow_cases')
    .select(['id', 'conversation'])
    .where(sql<boolean>`conversation @? '$.known.tagIds[*]'`)
    .execute()
  for (const { id, conversation } of cases) {
    const after = JSON.stringify(withTagMerged(conversation, merge))
    if (after !== JSON.stringify(conversation))
      await db.updateTable('flow_cases').set({ conversation: after }).where('id', '=', id).execute()
  }
}
