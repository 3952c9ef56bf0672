import { present } from '#domain/present.ts'
import type { Actor } from '#server/actors.ts'
import type { Ctx } from '#server/context.ts'

type UserCtx = Ctx & { user: Actor }

/** Port to opportunities, which another feature implements. */
export type OpportunityPort = {
  /** Returns the contact of an opportunity that the user sees; throws 404 otherwise. */
  readonly contactOf: (ctx: UserCtx, id: number) => Promise<number>
  /** Publishes that tasks of an opportunity have changed. */
  readonly changed: (ctx: Ctx, id: number) => void
}

let registered: OpportunityPort | undefined

/** Registers the port's implementation (`server/features.ts`). */
export const registerOpportunities = (port: OpportunityPort): void => {
  registered = port
}

/** Returns the registered port. */
export const opportunityPort = (): OpportunityPort => present(registered)
