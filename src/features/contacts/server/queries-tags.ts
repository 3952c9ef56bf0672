import type { Ctx } from '#server/context.ts'
import { relinkTag, renameTagIn } from '#server/merged-tags.ts'

/** Contacts, saved lists of them and imports have one tag in the place of another. */
export async function mergeTagsOfContacts({ db }: Ctx, from: number, into: number): Promise<void> {
  const merge = { from, into }
  await relinkTag(db, 'contact_tags', 'contact_id', merge)
  await renameTagIn(db, 'contact_views', ['filter'], merge)
  await renameTagIn(db, 'contact_imports', ['options'], merge)
}
