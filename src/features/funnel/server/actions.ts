import { firstOf } from '#domain/present.ts'
import type { Input, Returned } from '#kit/contract.ts'
import { fail, required } from '#kit/errors.ts'
import type { Ctx, ReadCtx } from '#server/context.ts'
import { implement } from '#server/http/route.ts'
import { exactPageStartOf, pageOf } from '#server/paging.ts'
import { pipelineActions } from '../actions-contract.ts'
import { shownSteps, tryAction } from './act.ts'
import {
  type ActionFilter,
  type ActionRow,
  countActions,
  countLogs,
  findAction,
  insertAction,
  pageOfActions,
  pageOfLogs,
  removeAction,
  updateAction,
} from './queries-actions.ts'
import { findStage, listPipelines } from './queries-pipelines.ts'

type Body = Input<typeof pipelineActions.create>['body']
type Query = Input<typeof pipelineActions.list>['query']

const shown = ({ activeSince: _, ...row }: ActionRow): Returned<typeof pipelineActions.get> => ({
  ...row,
  actionType: row.steps.length === 1 ? firstOf(row.steps).type : 'flow',
  steps: row.steps.map((step) => ({ ...step })) as Returned<typeof pipelineActions.get>['steps'],
})

const startOf = ({ page, cursor }: Pick<Query, 'page' | 'cursor'>) =>
  exactPageStartOf<[number]>({ pageNumber: page, cursor }, 1)

async function listOf({ db }: ReadCtx, query: Query, more: ActionFilter = {}) {
  const { actionType, page, cursor, ...filter } = query
  const by = { ...filter, type: actionType, ...more }
  const { rows, paging } = pageOf(await pageOfActions(db, by, startOf({ page, cursor })), ({ id }) => [id])
  return { data: rows.map(shown), total: await countActions(db, by), nextCursor: paging.nextCursor }
}

const one = async ({ db }: Pick<ReadCtx, 'db'>, id: number): Promise<ActionRow> =>
  required(await findAction(db, id), 'ERR_NO_PIPELINE_ACTION_FOUND')

async function create(ctx: Ctx, body: Body) {
  await requireStage(ctx, body)
  const id = await insertAction(ctx.db, body, ctx.now)
  const after = shown(await one(ctx, id))
  ctx.audit({ after })
  return after
}

async function requireStage({ db }: Ctx, { stageId, pipelineId }: Body): Promise<void> {
  if ((await findStage(db, stageId))?.pipelineId !== pipelineId) fail('ERR_NO_PIPELINE_STAGE_FOUND')
}

/** Route handlers of pipeline actions. */
export const actionRoutes = implement(pipelineActions, {
  list: (ctx, { query }) => listOf(ctx, query),
  ofPipeline: async (ctx, { params: { pipelineId }, query }) => {
    required((await listPipelines(ctx.db, pipelineId))[0], 'ERR_NO_PIPELINE_FOUND')
    return listOf(ctx, query, { pipelineId })
  },
  ofStage: async (ctx, { params: { stageId }, query }) => {
    required(await findStage(ctx.db, stageId), 'ERR_NO_PIPELINE_STAGE_FOUND')
    return listOf(ctx, query, { stageId })
  },
  get: async (ctx, { params }) => shown(await one(ctx, params.id)),
  create: (ctx, { body }) => create(ctx, body),
  sequential: (ctx, { body }) => create(ctx, body),
  update: async (ctx, { params: { id }, body }) => {
    const before = shown(await one(ctx, id))
    await requireStage(ctx, body)
    await updateAction(ctx.db, id, body, ctx.now)
    const after = shown(await one(ctx, id))
    ctx.audit({ before, after })
    return after
  },
  remove: async (ctx, { params: { id } }) => {
    ctx.audit({ before: shown(await one(ctx, id)) })
    await removeAction(ctx.db, id)
    return { message: 'ok' }
  },
  toggle: async (ctx, { params: { id } }) => {
    const before = await one(ctx, id)
    await updateAction(ctx.db, id, { ...before, active: !before.active }, ctx.now)
    const after = shown(await one(ctx, id))
    ctx.audit({ before: { active: before.active }, after: { active: after.active } })
    return after
  },
  simulate: async (ctx, { params: { id }, body: { opportunityId } }) => {
    const { result, steps, obstacles } = await tryAction(ctx, id, opportunityId)
    return { result, steps: shownSteps(steps) as never, obstacles: [...obstacles] }
  },
  logs: async (ctx, { params: { tenantId }, query: { actionId, page, cursor } }) => {
    if (tenantId !== ctx.tenantId) fail('ERR_NO_PIPELINE_ACTION_FOUND')
    const found = await pageOfLogs(ctx.db, actionId, startOf({ page, cursor }))
    const { rows, paging } = pageOf(found, ({ id }) => [id])
    return {
      data: rows.map(({ steps, ...row }) => ({ ...row, steps: shownSteps(steps) as never })),
      total: await countLogs(ctx.db, actionId),
      nextCursor: paging.nextCursor,
    }
  },
})
