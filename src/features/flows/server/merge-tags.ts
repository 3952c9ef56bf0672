import type { Ctx } from '#server/context.ts'
import { VERSIONS } from './documents.ts'
import { replaceTag } from './queries-tags.ts'

/** Puts a tag in the place of another one in the flows of the company, those that conversations follow now among them. */
export async function mergeTagsOfFlows(ctx: Ctx, from: number, into: number): Promise<void> {
  await replaceTag(ctx.db, { from, into }, ctx.now)
  ctx.stale(`${VERSIONS} ${ctx.tenantId}`)
}
