import { fail } from '#kit/errors.ts'
import type { Ctx } from '#server/context.ts'
import { recording } from './changes.ts'
import { personsOf } from './merges/queries.ts'
import { countTags, countUsers } from './queries.ts'
import { addTo } from './queries-bulk.ts'
import { publishing } from './save.ts'

/** Adds tags or wallets to the person of a contact, in the product's name. Throws 404 for an unknown tag or user. */
export async function giveToContacts(
  ctx: Ctx,
  contactId: number,
  { tagIds = [], userIds = [] }: { readonly tagIds?: readonly number[]; readonly userIds?: readonly number[] },
): Promise<void> {
  if ((await countTags(ctx.db, tagIds)) < new Set(tagIds).size) fail('ERR_NO_TAG_FOUND')
  if ((await countUsers(ctx.db, userIds)) < new Set(userIds).size) fail('ERR_NO_USER_FOUND')
  const ids = [(await personsOf(ctx.db, [contactId])).get(contactId) ?? contactId]
  await publishing(ctx, ids, userIds.length > 0, () =>
    recording(ctx, ids, async () => {
      if (tagIds.length > 0) await addTo(ctx.db, 'tags', ids, tagIds)
      if (userIds.length > 0) await addTo(ctx.db, 'wallets', ids, userIds)
    }),
  )
}
