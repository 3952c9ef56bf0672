import type { Ctx } from '#server/context.ts'
import { VERSIONS } from './documents.ts'
import { replaceTag } from './queries-tags.ts'

/** Replaces a tag by another in the company's flows, including versions in use. */
export async function mergeTagsOfFlows(ctx: Ctx, from: number, into: number): Promise<void> {
  await replaceTag(ctx.db, { from, into }, ctx.now)
  ctx.stale(`${VERSIONS} ${ctx.tenantId}`)
}
