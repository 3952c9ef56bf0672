import { implement } from '#server/http/route.ts'
import { distribution } from '../contract.ts'
import { whyOf } from './explain.ts'
import { tryRules } from './trial.ts'

/** Routes of the distribution. */
export const distributionRoutes = implement(distribution, {
  why: (ctx, { params }) => whyOf(ctx, params.id),
  tryRules: (ctx, { body }) => tryRules(ctx, body),
})
