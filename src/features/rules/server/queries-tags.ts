import type { Ctx } from '#server/context.ts'
import { renameTagIn } from '#server/merged-tags.ts'

/** Rules ask for one tag, and give it, in the place of another. */
export const mergeTagsOfRules = ({ db }: Ctx, from: number, into: number): Promise<void> =>
  renameTagIn(db, 'rules', ['conditions', 'actions'], { from, into })
