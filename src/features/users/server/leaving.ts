import type { Ctx } from '#server/context.ts'
import type { Tx } from '#server/db/db.ts'

/** User who leaves the company, the time, and the user who takes over planned work (null: none). */
export type Leaving = { readonly id: number; readonly heir: number | null; readonly at: Date }

/** Hooks of other features for a user who is deactivated (tickets return to the queue) or removed. */
export type LeavingHooks = {
  readonly onReleased: readonly ((ctx: Ctx, userId: number) => Promise<unknown>)[]
  readonly onLeft: readonly ((db: Tx, leaving: Leaving) => Promise<void>)[]
}

let registered: LeavingHooks = { onReleased: [], onLeft: [] }

/** Registers the hooks in their order (`server/features.ts`). */
export const registerLeavingHooks = (hooks: LeavingHooks): void => {
  registered = hooks
}

/** Runs the hooks that release a user's work to others. */
export async function releaseWork(ctx: Ctx, userId: number): Promise<void> {
  for (const release of registered.onReleased) await release(ctx, userId)
}

/** Runs the hooks that delete what features store about a user, except for the history. */
export async function forgetEverywhere(db: Tx, leaving: Leaving): Promise<void> {
  for (const forget of registered.onLeft) await forget(db, leaving)
}
