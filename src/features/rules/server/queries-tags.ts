import type { Ctx } from '#server/context.ts'
import { renameTagIn } from '#server/merged-tags.ts'

/** Replaces a merged tag in the conditions and actions of rules. */
export const mergeTagsOfRules = ({ db }: Ctx, from: number, into: number): Promise<void> =>
  renameTagIn(db, 'rules', ['conditions', 'actions'], { from, into })
