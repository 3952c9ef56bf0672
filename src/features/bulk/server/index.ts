import { answerOf, requireOperation } from '#server/bulk/answer.ts'
import { finalizeJob } from '#server/bulk/finalize.ts'
import { undoBulk, undoJob } from '#server/bulk/undo.ts'
import { steer, workJob } from '#server/bulk/work.ts'
import type { Feature } from '#server/feature.ts'
import { implement } from '#server/http/route.ts'
import { bulk } from '../contract.ts'

const routes = implement(bulk, {
  get: async (ctx, { params }) => answerOf(ctx.db, await requireOperation(ctx.db, ctx.user, params.id, false)),
  undo: (ctx, { params }) => undoBulk(ctx, params.id),
  pause: async (ctx, { params }) => steer(ctx, await requireOperation(ctx.db, ctx.user, params.id, true), 'paused'),
  resume: async (ctx, { params }) => steer(ctx, await requireOperation(ctx.db, ctx.user, params.id, true), 'running'),
  cancel: async (ctx, { params }) => steer(ctx, await requireOperation(ctx.db, ctx.user, params.id, true), 'canceled'),
})

/** Server part of the feature `bulk`: bulk operations in blocks, with report and undo (decision 0032). */
export const bulkFeature: Feature = {
  name: 'bulk',
  titles: { bulk: 'Ações em lote' },
  routes,
  jobs: [workJob, finalizeJob, undoJob],
}
