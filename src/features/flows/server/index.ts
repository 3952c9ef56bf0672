import { requireVisible } from '#features/conversations/server/index.ts'
import { plays } from '#server/env.ts'
import type { Feature } from '#server/feature.ts'
import { implement } from '#server/http/route.ts'
import { flows, ticketFlow } from '../contract.ts'
import { errors } from '../errors.ts'
import { permissions } from '../permissions.ts'
import { settings } from '../settings.ts'
import { caseOfTicket, createCase, readCases, removeCase, runDraft } from './cases.ts'
import {
  changeFlow,
  createFlow,
  duplicateFlow,
  importFlow,
  publishFlow,
  readDetail,
  readVersions,
  removeFlow,
  restoreVersion,
} from './flows.ts'
import { callJob, timerJob } from './jobs.ts'
import { keysOfFlows } from './queries-secrets.ts'
import { findStory } from './queries-sessions.ts'
import { separateSecrets } from './secrets.ts'
import { simulateDraft } from './simulate.ts'

export { attendByFlow, beginByHand } from './attend.ts'

const routes = implement(flows, {
  create: (ctx, { body }) => createFlow(ctx, body),
  get: (ctx, { params }) => readDetail(ctx, params.id),
  update: async (ctx, { params, body }) => {
    await changeFlow(ctx, params.id, body)
    return readDetail(ctx, params.id)
  },
  remove: async (ctx, { params }) => {
    await removeFlow(ctx, params.id)
    return { message: 'ok' }
  },
  duplicate: (ctx, { body }) => duplicateFlow(ctx, body),
  import: (ctx, { params, body }) => importFlow(ctx, params.id, body),
  publish: (ctx, { params }) => publishFlow(ctx, params.id),
  versions: (ctx, { params }) => readVersions(ctx, params.id),
  simulate: (ctx, { params, body }) => simulateDraft(ctx, params.id, body),
  listCases: (ctx, { params }) => readCases(ctx, params.id),
  createCase: (ctx, { params, body }) => createCase(ctx, params.id, body),
  caseOfTicket: async (ctx, { params, body: { name, ticketId } }) => {
    const { row } = await requireVisible(ctx, ticketId)
    return caseOfTicket(ctx, params.id, { name, ticketId, channel: row.channel })
  },
  removeCase: async (ctx, { params }) => {
    await removeCase(ctx, params.id, params.caseId)
    return { message: 'ok' }
  },
  runCases: (ctx, { params }) => runDraft(ctx, params.id),
  restore: (ctx, { params }) => restoreVersion(ctx, params.id, params.version),
})

const ticketRoutes = implement(ticketFlow, {
  get: async (ctx, { params }) => {
    await requireVisible(ctx, params.id)
    const story = await findStory(ctx.db, params.id)
    if (!story) return { chatFlowId: null, version: null, steps: [] }
    const steps = story.steps.map(({ at, node_id: nodeId, why }) => ({ at, nodeId, why }))
    return { chatFlowId: story.chat_flow_id, version: story.version, steps }
  },
})

/** Chat flows: bots that attend conversations before people do. */
export const flowsFeature: Feature = {
  name: 'flows',
  titles: { flows: 'Chatbots', ticketFlow: 'Chatbot de um atendimento' },
  settings,
  permissions,
  errors,
  routes: [...routes, ...ticketRoutes],
  jobs: [timerJob, callJob],
  encryptedWith: keysOfFlows,
  start: async (platform) => {
    if (plays(platform.env, 'worker'))
      await separateSecrets(platform).catch((err) =>
        platform.log.error({ err }, 'secrets of flows could not be kept apart'),
      )
    return async () => {}
  },
}
