import type { Ctx } from '#server/context.ts'
import type { Tx } from '#server/db/db.ts'

/** Who leaves the company, when; what was planned in their name goes to `heir` where there is one. */
export type Leaving = { readonly id: number; readonly heir: number | null; readonly at: Date }

/** What other features do when somebody works here no longer: for now (tickets wait again), or for good. */
export type LeavingHooks = {
  readonly onReleased: readonly ((ctx: Ctx, userId: number) => Promise<unknown>)[]
  readonly onLeft: readonly ((db: Tx, leaving: Leaving) => Promise<void>)[]
}

let registered: LeavingHooks = { onReleased: [], onLeft: [] }

/** Says who takes part, in which order (`server/features.ts`). */
export const registerLeavingHooks = (hooks: LeavingHooks): void => {
  registered = hooks
}

/** Lets others take up what somebody was working on. */
export async function releaseWork(ctx: Ctx, userId: number): Promise<void> {
  for (const release of registered.onReleased) await release(ctx, userId)
}

/** Lets every feature forget what it has of somebody, except for the history. */
export async function forgetEverywhere(db: Tx, leaving: Leaving): Promise<void> {
  for (const forget of registered.onLeft) await forget(db, leaving)
}
