import type { Returned } from '#kit/contract.ts'
import { fail, required } from '#kit/errors.ts'
import { type Ctx, type ReadCtx, unit } from '#server/context.ts'
import { countLocked } from '#server/db/caps.ts'
import { implement, type SlowCtx } from '#server/http/route.ts'
import { funnelEvents } from '../contract.ts'
import { pipelineStages, pipelines } from '../pipelines-contract.ts'
import {
  findStage,
  insertPipeline,
  insertStage,
  isUsed,
  listPipelines,
  listStages,
  lockPipeline,
  removePipeline,
  removeStages,
  type StageRow,
  savePipeline,
  saveStage,
} from './queries-pipelines.ts'
import { firstCards, lockCards, lockStages } from './queries-write.ts'
import { changeCards } from './write.ts'

const MOST_PIPELINES = 50
const MOST_STAGES = 30
/** Number of cards moved per transaction. */
const BLOCK = 200

type Pipeline = Returned<typeof pipelines.get>

const publish = (ctx: Ctx, id: number): void =>
  ctx.emit(funnelEvents.pipelines, { id }, { kind: 'permission', permission: 'funnel:read' })

const shown = ({ id, pipelineId, name, color, chance, staleDays }: StageRow, index: number) => ({
  ...{ id, pipelineId, name, color, chance, staleDays },
  order: index + 1,
})

async function readPipelines({ db }: Pick<ReadCtx, 'db'>, id?: number): Promise<Pipeline[]> {
  const stages = Map.groupBy(await listStages(db, id), ({ pipelineId }) => pipelineId)
  return (await listPipelines(db, id)).map((one) => ({ ...one, stages: (stages.get(one.id) ?? []).map(shown) }))
}

const readPipeline = async (ctx: Pick<ReadCtx, 'db'>, id: number): Promise<Pipeline> =>
  required((await readPipelines(ctx, id))[0], 'ERR_NO_PIPELINE_FOUND')

/** Route handlers of pipelines; all of a company fit on one page. */
export const pipelineRoutes = [
  ...implement(pipelines, {
    list: async (ctx) => {
      const data = await readPipelines(ctx)
      return { data, total: data.length, nextCursor: null }
    },
    get: (ctx, { params }) => readPipeline(ctx, params.id),
    create: async (ctx, { body: { name, stages } }) => {
      if ((await countLocked(ctx.db, 'pipelines')) >= MOST_PIPELINES) fail('ERR_MAX_PIPELINES')
      const id = await insertPipeline(ctx.db, name, ctx.now)
      for (const [index, stage] of stages.entries()) await insertStage(ctx.db, id, stage, index + 1, ctx.now)
      publish(ctx, id)
      const after = await readPipeline(ctx, id)
      ctx.audit({ after })
      return after
    },
    update: async (ctx, { params: { id }, body: { name, stages } }) => {
      if (!(await savePipeline(ctx.db, id, name, ctx.now))) fail('ERR_NO_PIPELINE_FOUND')
      const before = await readPipeline(ctx, id)
      const known = new Set(before.stages.map((stage) => stage.id))
      const remaining = stages.flatMap((stage) => stage.id ?? [])
      if (remaining.some((one) => !known.has(one)) || new Set(remaining).size < remaining.length)
        fail('ERR_NO_PIPELINE_STAGE_FOUND')
      await deleteStages(
        ctx,
        [...known].filter((one) => !remaining.includes(one)),
      )
      for (const [index, { id: stageId, ...stage }] of stages.entries())
        if (stageId === undefined) await insertStage(ctx.db, id, stage, index + 1, ctx.now)
        else await saveStage(ctx.db, stageId, { ...stage, position: index + 1 }, ctx.now)
      publish(ctx, id)
      const after = await readPipeline(ctx, id)
      ctx.audit({ before, after })
      return after
    },
    remove: async (ctx, { params: { id } }) => {
      if (!(await lockPipeline(ctx.db, id))) fail('ERR_NO_PIPELINE_FOUND')
      const before = await readPipeline(ctx, id)
      if (await isUsed(ctx.db, { pipelineId: id })) fail('ERR_PIPELINE_IN_USE')
      await removePipeline(ctx.db, id)
      ctx.audit({ before })
      publish(ctx, id)
      return { message: 'ok' }
    },
    replace: async (ctx, { params: { id }, body: { stageId } }) =>
      emptied(ctx, { pipelineId: id }, stageId, async (inner) => {
        required((await listPipelines(inner.db, id))[0], 'ERR_NO_PIPELINE_FOUND')
        if ((await findStage(inner.db, stageId))?.pipelineId === id)
          fail('ERR_VALIDATION', { stageId: 'Escolha uma etapa de outro funil.' })
        return () => removePipeline(inner.db, id)
      }),
  }),
  ...implement(pipelineStages, {
    list: async ({ db }, { query: { pipelineId } }) => {
      const rows = await listStages(db, pipelineId)
      const turns = new Map<number, number>()
      const data = rows.map((row) => {
        const index = turns.get(row.pipelineId) ?? 0
        turns.set(row.pipelineId, index + 1)
        return shown(row, index)
      })
      return { data, total: data.length, nextCursor: null }
    },
    create: async (ctx, { body: { pipelineId, ...stage } }) => {
      if (!(await lockPipeline(ctx.db, pipelineId))) fail('ERR_NO_PIPELINE_FOUND')
      const last = (await listStages(ctx.db, pipelineId)).at(-1)?.position ?? 0
      if ((await listStages(ctx.db, pipelineId)).length >= MOST_STAGES) fail('ERR_MAX_PIPELINE_STAGES')
      const id = await insertStage(ctx.db, pipelineId, stage, last + 1, ctx.now)
      publish(ctx, pipelineId)
      const after = await readStage(ctx, id)
      ctx.audit({ after })
      return after
    },
    update: async (ctx, { params: { id }, body }) => {
      const before = await readStage(ctx, id)
      await saveStage(ctx.db, id, body, ctx.now)
      publish(ctx, before.pipelineId)
      const after = await readStage(ctx, id)
      ctx.audit({ before, after })
      return after
    },
    remove: async (ctx, { params: { id } }) => {
      const before = await readStage(ctx, id)
      await lockPipeline(ctx.db, before.pipelineId)
      if ((await listStages(ctx.db, before.pipelineId)).length === 1) fail('ERR_LAST_PIPELINE_STAGE')
      await deleteStages(ctx, [id])
      ctx.audit({ before })
      publish(ctx, before.pipelineId)
      return { message: 'ok' }
    },
    replace: async (ctx, { params: { id }, body: { stageId } }) =>
      emptied(ctx, { stageId: id }, stageId, async (inner) => {
        const stage = await readStage(inner, id)
        if (id === stageId) fail('ERR_VALIDATION', { stageId: 'Escolha outra etapa.' })
        await lockPipeline(inner.db, stage.pipelineId)
        if ((await listStages(inner.db, stage.pipelineId)).length === 1) fail('ERR_LAST_PIPELINE_STAGE')
        return () => removeStages(inner.db, [id])
      }),
  }),
]

async function readStage({ db }: Pick<ReadCtx, 'db'>, id: number) {
  const stage = required(await findStage(db, id), 'ERR_NO_PIPELINE_STAGE_FOUND')
  const all = await listStages(db, stage.pipelineId)
  return shown(
    stage,
    all.findIndex((one) => one.id === id),
  )
}

// A locked stage gets no new cards.
async function deleteStages({ db }: Ctx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await lockStages(db, ids)
  if (await isUsed(db, { stageIds: ids })) fail('ERR_PIPELINE_STAGE_IN_USE')
  await removeStages(db, ids)
}

type Emptied = { readonly stageId: number } | { readonly pipelineId: number }

/**
 * Moves every card of a stage or pipeline to the end of another stage, then deletes the empty one; in blocks, so that locks
 * are short and a repeated call resumes. Returns the number moved.
 */
async function emptied(
  { platform, tenantId, user, audit }: SlowCtx,
  from: Emptied,
  to: number,
  check: (ctx: Ctx) => Promise<() => Promise<void>>,
): Promise<{ moved: number }> {
  const block = async (ctx: Ctx) => {
    const remove = await check(ctx)
    required(await findStage(ctx.db, to), 'ERR_NO_PIPELINE_STAGE_FOUND')
    const locked = await lockCards(ctx.db, await firstCards(ctx.db, from, BLOCK))
    await changeCards(ctx, locked, () => ({ stageId: to }))
    if (locked.length === BLOCK) return { moved: locked.length, isDone: false }
    if ('stageId' in from) await lockStages(ctx.db, [from.stageId])
    else
      await lockStages(
        ctx.db,
        (await listStages(ctx.db, from.pipelineId)).map(({ id }) => id),
      )
    // A card may have been added meanwhile.
    if (await isUsed(ctx.db, 'stageId' in from ? { stageIds: [from.stageId] } : from))
      return { moved: locked.length, isDone: false }
    await remove()
    publish(ctx, 'stageId' in from ? from.stageId : from.pipelineId)
    return { moved: locked.length, isDone: true }
  }
  let moved = 0
  for (let isDone = false; !isDone; ) {
    const last = await unit(platform, { tenantId, user, audit }, block)
    moved += last.moved
    isDone = last.isDone
  }
  return { moved }
}
