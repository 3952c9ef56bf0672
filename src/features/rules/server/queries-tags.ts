import { withTagMerged } from '#domain/merged-tags.ts'
import type { Ctx } from '#server/context.ts'

/** Rules ask for one tag, and give it, in the place of another. */
export async function mergeTagsOfRules({ db }: Ctx, from: number, into: number): Promise<void> {
  const merge = { from, into }
  const all = await db.selectFrom('rules').select(['id', 'conditions', 'actions']).forUpdate().execute()
  for (const { id, conditions, actions } of all)
    await db
      .updateTable('rules')
      .set({
        conditions: JSON.stringify(withTagMerged(conditions, merge)),
        actions: JSON.stringify(withTagMerged(actions, merge)),
      })
      .where('id', '=', id)
      .execute()
}
