import type { OpportunityPort } from '#features/tasks/server/index.ts'
import type { Ctx } from '#server/context.ts'
import { plays } from '#server/env.ts'
import type { Feature } from '#server/feature.ts'
import type { Forgetting } from '#server/forgetting.ts'
import { startLooking } from '#server/looking.ts'
import { errors } from '../errors.ts'
import { permissions } from '../permissions.ts'
import { actEverywhere, actJob } from './act.ts'
import { actionRoutes } from './actions.ts'
import { fieldRoutes } from './fields.ts'
import { noteRoutes } from './notes.ts'
import { openJob } from './open.ts'
import { opportunityRoutes } from './opportunities.ts'
import { pipelineRoutes } from './pipelines.ts'
import { removeNotesOf } from './queries-notes.ts'
import { cardsOfOwner, emptyCards, lockCards } from './queries-write.ts'
import { cardOf } from './view.ts'
import { changeCards, publish } from './write.ts'

export { opportunitiesKind } from './bulk.ts'
export { forecastsOn } from './forecasts.ts'
export { cardsOfSum } from './opportunities.ts'
export { mergeTagsOfActions } from './queries-actions.ts'
export { cardsForPrograms, sumsOfCards } from './view.ts'

const BLOCK = 500
const EVERY_MS = 20_000

/** Unassigns the cards of a colleague who has left. */
export async function releaseCardsOf(ctx: Ctx, userId: number): Promise<void> {
  for (let ids = await cardsOfOwner(ctx.db, userId, BLOCK); ids.length > 0; ) {
    await changeCards(ctx, await lockCards(ctx.db, ids), () => ({ responsibleId: null }))
    ids = await cardsOfOwner(ctx.db, userId, BLOCK)
  }
}

/** Erases what is written about a person in their opportunities; figures stay. */
export const forgetCards: Forgetting = async ({ db }, { contactIds }) => {
  await removeNotesOf(db, contactIds)
  await emptyCards(db, contactIds)
}

/** Opportunity port of tasks. */
export const opportunitiesOfTasks: OpportunityPort = {
  contactOf: async (ctx, id) => (await cardOf(ctx, id)).contactId,
  changed: (ctx, id) => publish(ctx, [id], []),
}

/** Funnel feature: pipelines, stages, opportunities and their automatic actions. */
export const funnelFeature: Feature = {
  name: 'funnel',
  titles: {
    pipelines: 'Funis',
    pipelineStages: 'Etapas dos funis',
    opportunities: 'Oportunidades',
    opportunityNotes: 'Notas das oportunidades',
    pipelineActions: 'Automações do funil',
    opportunityFields: 'Campos de oportunidades',
  },
  permissions,
  errors,
  constraints: { pipelines_name: 'ERR_DUPLICATED_PIPELINE' },
  routes: [...pipelineRoutes, ...opportunityRoutes, ...noteRoutes, ...actionRoutes, ...fieldRoutes],
  jobs: [actJob, openJob],
  start(platform) {
    if (!plays(platform.env, 'worker')) return async () => {}
    const complaint = 'the actions of the funnel could not be done'
    return startLooking(platform, { work: actEverywhere, everyMs: EVERY_MS, complaint })
  },
}
