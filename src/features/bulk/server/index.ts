import type { Feature } from '#server/feature.ts'
import { implement } from '#server/http/route.ts'
import { bulk } from '../contract.ts'
import { errors } from '../errors.ts'
import { answerOf, requireOperation } from './answer.ts'
import { finalizeJob } from './finalize.ts'
import { undoBulk, undoJob } from './undo.ts'
import { steer, workJob } from './work.ts'

export {
  type Act,
  type BulkKind,
  type Changed,
  type Chosen,
  type Lock,
  type Return,
  registerBulkKinds,
  type UserCtx,
} from './kind.ts'
export { removeBulk } from './queries.ts'
export { previewBulk, startBulk } from './work.ts'

const routes = implement(bulk, {
  get: async (ctx, { params }) => answerOf(ctx.db, await requireOperation(ctx.db, ctx.user, params.id, false)),
  undo: (ctx, { params }) => undoBulk(ctx, params.id),
  pause: async (ctx, { params }) => steer(ctx, await requireOperation(ctx.db, ctx.user, params.id, true), 'paused'),
  resume: async (ctx, { params }) => steer(ctx, await requireOperation(ctx.db, ctx.user, params.id, true), 'running'),
  cancel: async (ctx, { params }) => steer(ctx, await requireOperation(ctx.db, ctx.user, params.id, true), 'canceled'),
})

/** One action on many records: in blocks, with a report, and a way back (decision 0032). */
export const bulkFeature: Feature = { name: 'bulk', errors, routes, jobs: [workJob, finalizeJob, undoJob] }
